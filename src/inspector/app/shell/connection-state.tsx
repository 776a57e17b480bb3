import type { JSX } from "preact";
import { Icon } from "../parts/icon.tsx";
import { connection, retryNow, trouble } from "../state/live.ts";
import { duration, time } from "../words/numbers.ts";
import { now } from "../words/now.ts";

export function ConnectionDot(): JSX.Element {
  const { state } = connection.value;
  const [dot, word] = state === "live" ? ["dot", "Live"] : state === "lost" ? ["dot off", "No connection"] : ["dot idle", "Connecting"];
  return (
    <span class="conn">
      <span class={dot} />
      {word}
      <span class="ad dimmer mono">{location.host}</span>
    </span>
  );
}

/** Shown above the page while it cannot be updated. */
export function ConnectionBanner(): JSX.Element | null {
  const is = connection.value;
  if (is.state === "lost") {
    const wait = Math.max(0, is.retryAt - Math.max(now.value, Date.now()));
    return (
      <div class="banner" role="alert">
        <Icon name="off" />
        <p>
          <b>
            No connection to {location.host} since {time(is.since, true)}.
          </b>{" "}
          The page shows the state of that time. If the proxy has stopped, start it again.
        </p>
        <span class="dim">Tries again{wait < 1_500 ? "" : ` in ${duration(wait)}`}</span>
        <button type="button" class="btn s" onClick={retryNow}>
          Try now
        </button>
      </div>
    );
  }
  const said = trouble.value;
  if (said === undefined) return null;
  return (
    <div class="banner" role="alert">
      <Icon name="warn" />
      <p>
        <b>{said.message}</b> {said.meaning} {said.remedy}
      </p>
      <span class="dim">Retries every few seconds</span>
    </div>
  );
}
