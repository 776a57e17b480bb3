import type { JSX } from "preact";
import type { CallAnswer, Round } from "../../answers.ts";
import { visible } from "../parts/visible-text.tsx";
import { amount, counted, milliseconds } from "../words/numbers.ts";

/** Shows, for each request of the call, our own time, the time to the provider's first byte, and its stream. */
export function TimeCard({ call }: { readonly call: CallAnswer }): JSX.Element {
  const { rounds, stopReason, output, streamed } = call;
  const end = Math.max(...rounds.map(({ endMs, firstByteMs, sentMs }) => endMs ?? firstByteMs ?? sentMs), 0);
  const own = rounds.reduce((sum, { beganMs, sentMs }) => sum + (sentMs - beganMs), 0);
  const isTimed = rounds.some(({ endMs }) => endMs !== undefined);
  const tries = rounds.filter(({ retry }) => retry !== undefined);
  return (
    <section class="card" aria-labelledby="h-time">
      <header>
        <h2 id="h-time">Time</h2>
        <span class="dim">{isTimed ? `${milliseconds(end)}, of which ${milliseconds(own)} ours` : "not recorded"}</span>
      </header>
      <div class="body">
        {isTimed ? (
          <div class="wf">
            {rounds.map((round, number) => (
              <>
                {number > 0 && <p class="sep">{whyRound(rounds[number - 1], round)}</p>}
                <Bar label="Palimpsest" kind="w1" from={round.beganMs} to={round.sentMs} end={end} />
                {round.firstByteMs !== undefined && <Bar label="First byte" kind="w2" from={round.sentMs} to={round.firstByteMs} end={end} />}
                {round.firstByteMs !== undefined && round.endMs !== undefined && (
                  <Bar label={streamed ? "Stream" : "Answer"} kind="w3" from={round.firstByteMs} to={round.endMs} end={end} />
                )}
                {round.status >= 400 && <p class="sep">The provider answered with status {round.status}</p>}
              </>
            ))}
          </div>
        ) : (
          <p class="dim">This call was recorded by another program, without times.</p>
        )}
        <div class="facts2">
          <span>Output {amount(output)} tokens</span>
          {stopReason !== undefined && <span>Stopped for {visible(stopReason)}</span>}
          <span>
            {tries.length === 0
              ? counted(rounds.length, "request")
              : `${counted(rounds.length, "request")}, sent again: ${tries.map(({ retry }) => retry).join(", ")}`}
          </span>
        </div>
      </div>
    </section>
  );
}

function Bar({
  label,
  kind,
  from,
  to,
  end,
}: {
  readonly label: string;
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}): JSX.Element {
  const all = Math.max(1, end);
  return (
    <>
      <span>{label}</span>
      <span class="trk" aria-hidden="true">
        <i class={kind} style={{ left: `${(from / all) * 100}%`, width: `${((to - from) / all) * 100}%` }} />
      </span>
      <span class="num">{milliseconds(to - from)}</span>
    </>
  );
}

function whyRound(before: Round | undefined, { retry }: Round): string {
  if (retry !== undefined) return `Sent again: ${retry}`;
  const hidden = before?.hidden ?? [];
  if (hidden.length === 0) return "Sent again";
  return `Hidden round: ${hidden.map(({ tool, handle }) => `${tool}${handle === undefined ? "" : ` ${handle}`}`).join(", ")}, not seen by the client`;
}
