import type { JSX } from "preact";
import type { ConversationRow } from "../../answers.ts";
import { CacheBar } from "../parts/cache-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { SparkLine } from "../parts/spark-line.tsx";
import { visible } from "../parts/visible-text.tsx";
import { conversationPath } from "../state/route.ts";
import { ago, amount, counted, full, percent, short, usd } from "../words/numbers.ts";
import { now } from "../words/now.ts";
import { shownTitle } from "../words/shown-title.ts";
import type { TreeRow } from "./conversation-tree.ts";

const LIVE_MS = 2 * 60_000;
const KINDS: Readonly<Record<string, string>> = { "sub-agent": "sub-agent", branch: "branch", compacted: "after compaction" };

export interface ConversationLineProps {
  readonly tree: TreeRow;
  /** The line that Tab focuses. */
  readonly isCurrent: boolean;
  readonly onToggle: () => void;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}

export function ConversationLine(props: ConversationLineProps): JSX.Element {
  return props.tree.isSide ? <SideLine {...props} /> : <OwnLine {...props} />;
}

/** Shows the side calls, such as titles and summaries, which count towards their conversation. */
function SideLine({ tree: { row, level, key }, isCurrent, onFocus, onOpen }: ConversationLineProps): JSX.Element {
  return (
    <div role="row" class="gr" data-key={key} tabIndex={isCurrent ? 0 : -1} aria-level={level} onClick={onOpen} onFocus={onFocus}>
      <div role="gridcell" class="name">
        <span class="elbow" />
        <div>
          <div class="t1">
            <a href={conversationPath(row, "calls", { kind: "side" })} tabIndex={-1}>
              Titles, summaries and the like
            </a>
            <span class="tag">side calls</span>
          </div>
        </div>
      </div>
      <div role="gridcell" class="mdl" />
      <div role="gridcell" class="num calls">
        {amount(row.sideCalls)}
      </div>
      <div role="gridcell" class="ctx dimmer sm">
        <span>counted above</span>
      </div>
      <div role="gridcell" class="cache" />
      <div role="gridcell" class="num cost" />
      <div role="gridcell" class="num sv" />
      <div role="gridcell" class="num when" />
    </div>
  );
}

function OwnLine({ tree: { row, level, hasChildren, isOpen, key }, isCurrent, onToggle, onFocus, onOpen }: ConversationLineProps): JSX.Element {
  const { title, client, policy, model, total, sentTokens, fullTokens, parentKind, isDemo, faults } = row;
  const isLive = now.value - row.lastMs < LIVE_MS && !isDemo;
  const name = shownTitle(title);
  const open = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest("a, button") === null) onOpen();
  };
  return (
    <div
      role="row"
      class="gr"
      data-key={key}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={level}
      {...(hasChildren ? { "aria-expanded": isOpen } : {})}
      onClick={open}
      onFocus={onFocus}
    >
      <div role="gridcell" class="name">
        {level > 1 && <span class="elbow" />}
        {hasChildren ? (
          <button type="button" class="tw" tabIndex={-1} aria-label={`Sub-agents and side calls of ${name}`} onClick={onToggle}>
            <Icon name="chevron" />
          </button>
        ) : (
          level === 1 && <span class="tw" />
        )}
        <div>
          <div class="t1">
            {isLive ? <span class="dot live" title="live" /> : level === 1 && <span class="dot end" />}
            {isLive && <span class="vh">live:</span>}
            <a href={conversationPath(row)} tabIndex={-1} title={name}>
              {visible(name)}
            </a>
            {parentKind !== undefined && <span class="tag">{KINDS[parentKind]}</span>}
            {isDemo && level === 1 && <span class="tag">demo</span>}
            {faults > 0 && <span class="tag bad">{counted(faults, "fault")}</span>}
          </div>
          {level === 1 && (
            <div class="t2">
              {[client.agent, client.project === undefined ? undefined : <span class="mono">{visible(client.project)}</span>, policy]
                .filter((fact) => fact !== undefined)
                .map((fact, number) => (
                  <>
                    {number > 0 && " · "}
                    {typeof fact === "string" ? visible(fact) : fact}
                  </>
                ))}
              <span class="only-n"> · {counted(total.calls, "call")}</span>
            </div>
          )}
        </div>
      </div>
      <div role="gridcell" class="mdl dim sm">
        {visible(model ?? "")}
      </div>
      <div role="gridcell" class="num calls" title={row.sideCalls > 0 ? `${counted(row.sideCalls, "side call")} among them` : undefined}>
        {amount(total.calls)}
      </div>
      <div role="gridcell" class="ctx">
        <SparkLine spark={row.spark} height={level === 1 ? 26 : 20} />
        <span>
          <span class="medium">{short(sentTokens)}</span> <span class="dimmer">of {short(fullTokens)}</span>
        </span>
      </div>
      <div role="gridcell" class="cache">
        <CacheBar read={total.cacheReadTokens} written={total.cacheWriteTokens} uncached={total.inputTokens} />
      </div>
      <div role="gridcell" class="num cost">
        {total.unpricedCalls > 0 && total.dollars === 0 ? <span class="dimmer sm">no price</span> : usd(total.dollars)}
      </div>
      <div role="gridcell" class="num sv">
        <Saved total={total} isShorter={sentTokens < fullTokens} />
      </div>
      <div role="gridcell" class="num when dimmer sm" title={full(row.lastMs)}>
        {ago(row.lastMs, now.value)}
      </div>
    </div>
  );
}

function Saved({ total: { dollars, fullDollars, unpricedCalls }, isShorter }: Pick<ConversationRow, "total"> & { readonly isShorter: boolean }): JSX.Element {
  const saved = fullDollars - dollars;
  if (saved >= 0.005)
    return (
      <span class="saved">
        <b>−{usd(saved)}</b> {percent(saved / fullDollars)}
      </span>
    );
  if (saved <= -0.005)
    return (
      <span class="dim" title="So far, cache rewrites and our own tools have cost more than was saved">
        +{usd(-saved)} so far
      </span>
    );
  const why = !isShorter ? "nothing to do" : unpricedCalls > 0 && fullDollars === 0 ? "no price" : "under $0.01";
  return <span class="dimmer sm">{why}</span>;
}
