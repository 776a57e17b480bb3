import type { JSX } from "preact";
import type { CallAnswer } from "../../answers.ts";
import { visible } from "../parts/visible-text.tsx";
import { amount, duration, percent } from "../words/numbers.ts";

/** Shows how much of the request was read from the cache, and where the cached part ended. */
export function CacheCard({ call }: { readonly call: CallAnswer }): JSX.Element {
  const { cache, read, written, uncached } = call;
  const all = read + written + uncached;
  const { segments, firstChanged, sinceMs, livesMs, markers, headTokens } = cache;
  const total = segments.reduce((sum, { tokens }) => sum + tokens, 0);
  const share = firstChanged === undefined || total === 0 ? 0 : Math.min(1, firstChanged.beforeTokens / total);
  const head = headTokens.system + headTokens.tools;
  return (
    <section class="card" aria-labelledby="h-cache">
      <header>
        <h2 id="h-cache">Cache</h2>
        <span class="dim">
          {all === 0
            ? "the provider reported nothing"
            : read === 0
              ? `nothing of ${amount(all)} tokens read from it`
              : `${percent(read / all)} of ${amount(all)} tokens read from it`}
        </span>
      </header>
      <div class="body">
        {all > 0 && total > 0 && (
          <div class="rq">
            <div class="lab" aria-hidden="true">
              {headTokens.tools / total > 0.06 && <span style={{ left: "0" }}>tools</span>}
              {headTokens.system / total > 0.08 && <span style={{ left: `${(headTokens.tools / total) * 100}%` }}>system</span>}
              <span style={{ left: `${(head / total) * 100}%` }}>messages</span>
            </div>
            <div class="strip" aria-hidden="true">
              <Strip segments={segments} read={read / all} written={written / all} />
            </div>
            {firstChanged !== undefined && (
              <div class="pt">
                <div class={share > 0.5 ? "rt" : ""} style={share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` }}>
                  <b>First changed block: {firstChanged.place}</b>
                  <span>{visible(firstChanged.label)}</span>
                </div>
              </div>
            )}
          </div>
        )}
        {all > 0 && (
          <div class="legend">
            <span>
              <i class="sw read" />
              read {amount(read)}
            </span>
            <span>
              <i class="sw write" />
              written {amount(written)}
            </span>
            <span>
              <i class="sw miss" />
              uncached {amount(uncached)}
            </span>
          </div>
        )}
        <div class="facts2">
          {sinceMs !== undefined && (
            <span>
              {duration(sinceMs)} after the previous call{livesMs !== undefined && `; the cache lives ${duration(livesMs)}`}
            </span>
          )}
          {markers.length > 0 && (
            <span>
              {markers.length} {markers.length === 1 ? "marker" : "markers"}: {visible(markers.join(", "))}
            </span>
          )}
          {firstChanged === undefined && all > 0 && read > 0 && <span>Everything before the new messages is unchanged</span>}
        </div>
      </div>
    </section>
  );
}

/** Shows the blocks in the order of the request. A block in which a colour ends is split in two. */
function Strip({
  segments,
  read,
  written,
}: {
  readonly segments: CallAnswer["cache"]["segments"];
  readonly read: number;
  readonly written: number;
}): JSX.Element {
  const total = segments.reduce((sum, { tokens }) => sum + tokens, 0);
  const borders = [read, read + written];
  let at = 0;
  const pieces: { readonly kind: "r" | "w" | "m"; readonly share: number }[] = [];
  for (const { tokens } of segments) {
    const end = at + tokens / total;
    let from = at;
    for (const to of [...borders.filter((border) => border > at && border < end), end]) {
      const middle = (from + to) / 2;
      pieces.push({ kind: middle < read ? "r" : middle < read + written ? "w" : "m", share: to - from });
      from = to;
    }
    at = end;
  }
  return (
    <>
      {pieces
        .filter(({ share }) => share > 0)
        .map(({ kind, share }, number) => (
          <i key={number} class={kind} style={{ flex: share }} />
        ))}
    </>
  );
}
