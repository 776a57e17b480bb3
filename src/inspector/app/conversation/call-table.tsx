import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { CallPoint } from "../../answers.ts";
import { CacheBar } from "../parts/cache-bar.tsx";
import { VirtualRows } from "../parts/virtual-rows.tsx";
import { Choice } from "../parts/choice.tsx";
import { callPath, params, setParams } from "../state/route.ts";
import { amount, clock, full, milliseconds, usd } from "../words/numbers.ts";
import { now } from "../words/now.ts";
import { eventsOf } from "./call-words.ts";

interface CallTableProps {
  readonly conversation: { readonly thread: string; readonly branch: string };
  readonly calls: readonly CallPoint[];
}

type Kind = "all" | "own" | "side" | "marked";

const IS_WANTED: Readonly<Record<Kind, (call: CallPoint) => boolean>> = {
  all: () => true,
  own: ({ kind }) => kind === "conversation",
  side: ({ kind }) => kind !== "conversation",
  marked: ({ marks, edits }) => marks.length > 0 || edits > 0,
};

/** Lists all calls, side calls included, newest first. */
export function CallTable({ conversation, calls }: CallTableProps): JSX.Element {
  const asked = params.value.get("kind");
  const kind: Kind = asked === "own" || asked === "side" || asked === "marked" ? asked : "all";
  const newest = useMemo(() => calls.filter(IS_WANTED[kind]).reverse(), [calls, kind]);
  const keyOf = useMemo(() => (number: number) => String(newest[number]?.sequence ?? number), [newest]);
  return (
    <>
      <div class="bar">
        <Choice<Kind>
          label="Which calls"
          options={[
            { value: "all", label: "All", count: amount(calls.length) },
            { value: "own", label: "Of the conversation", count: amount(calls.filter(IS_WANTED.own).length) },
            { value: "side", label: "Side calls", count: amount(calls.filter(IS_WANTED.side).length) },
            { value: "marked", label: "With edits", count: amount(calls.filter(IS_WANTED.marked).length) },
          ]}
          value={kind}
          onChoose={(value) => setParams({ kind: value === "all" ? undefined : value })}
        />
      </div>
      {newest.length === 0 ? <p class="dim">There are none.</p> : <Table conversation={conversation} newest={newest} keyOf={keyOf} />}
    </>
  );
}

function Table({
  conversation,
  newest,
  keyOf,
}: {
  readonly conversation: CallTableProps["conversation"];
  readonly newest: readonly CallPoint[];
  readonly keyOf: (number: number) => string;
}): JSX.Element {
  return (
    <section class="card" aria-label="Calls">
      <div class="calls-head" aria-hidden="true">
        <span>Call</span>
        <span>Time</span>
        <span>What happened</span>
        <span>Cache</span>
        <span class="num">Sent</span>
        <span class="num">Full</span>
        <span class="num">Cost</span>
        <span class="num">Without us</span>
        <span class="num">Took</span>
      </div>
      <VirtualRows
        label="Calls, the newest first"
        count={newest.length}
        keyOf={keyOf}
        estimatedPx={37}
        render={(number) => {
          const call = newest[number] as CallPoint;
          return <CallRow conversation={conversation} call={call} />;
        }}
      />
    </section>
  );
}

function CallRow({ conversation, call }: { readonly conversation: CallTableProps["conversation"]; readonly call: CallPoint }): JSX.Element {
  const { sequence, atMs, sent, full: without, dollars, fullDollars, ms, marks, read, written, uncached, status } = call;
  const what = eventsOf(call);
  return (
    <a class="call-row" href={callPath(conversation, sequence)}>
      <span class="medium">
        <span class="vh">Call </span>
        {amount(sequence)}
      </span>
      <span class="dim opt" title={full(atMs)}>
        {clock(atMs, now.value)}
      </span>
      <span class="what">
        {status !== 200 && <span class="tag bad">{status === 0 ? "no answer" : status}</span>}
        {what !== "" && <span class={marks.length > 0 || call.edits > 0 ? "tag ours" : "tag"}>{what}</span>}
      </span>
      <span class="cache opt">
        <CacheBar read={read} written={written} uncached={uncached} />
      </span>
      <span class="num medium">
        {amount(sent)}
        <span class="vh"> tokens sent</span>
      </span>
      <span class="num dim opt">
        {amount(without)}
        <span class="vh"> without Palimpsest</span>
      </span>
      <span class="num opt">{usd(dollars)}</span>
      <span class="num dim opt">{usd(fullDollars)}</span>
      <span class="num dimmer opt">{ms === undefined ? "" : milliseconds(ms)}</span>
    </a>
  );
}
