import type { JSX } from "preact";
import { enterToken } from "../state/api.ts";
import { retryNow } from "../state/live.ts";

/** Asks for the token, which is kept until the tab is closed and sent only to the server of this page. */
export function TokenForm(): JSX.Element {
  const enter = (event: SubmitEvent): void => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get("token");
    if (typeof token !== "string" || token === "") return;
    enterToken(token);
    retryNow();
  };
  return (
    <section class="card err">
      <h1>This inspector needs the proxy's token</h1>
      <p class="dim">It was set with --token or PALIMPSEST_TOKEN when the proxy was started. It is kept in this tab only.</p>
      <form class="bar" onSubmit={enter}>
        <label class="field">
          <span class="vh">Token</span>
          <input name="token" type="password" autocomplete="off" required minLength={8} placeholder="Token" />
        </label>
        <button class="btn pri" type="submit">
          Open
        </button>
      </form>
    </section>
  );
}
