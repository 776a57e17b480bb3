import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CallAnswer, FoldRow } from "../../answers.ts";
import { Choice } from "../parts/choice.tsx";
import { Icon } from "../parts/icon.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { VirtualRows } from "../parts/virtual-rows.tsx";
import { visible } from "../parts/visible-text.tsx";
import { useKeys } from "../state/keys.ts";
import { params, setParams } from "../state/route.ts";
import { amount, counted } from "../words/numbers.ts";
import { Pair } from "./pair.tsx";
import { useRows, type Show } from "./use-rows.ts";

/** Shows the client's request beside the sent one, block by block. */
export function DiffView({ call, path }: { readonly call: CallAnswer; readonly path: string }): JSX.Element {
  const asked = params.value.get("show");
  const show: Show = asked === "edits" || asked === "all" ? asked : "new";
  const at = params.value.get("at");
  const rows = useRows(path, show);
  const { sides } = call;
  const [reveal, setReveal] = useState<{ readonly row: number; readonly count: number }>();
  const focused = useRef(-1);

  const isChange = (number: number): boolean => {
    const row = rows.rowAt(number);
    return row !== undefined && row.type !== "fold" && row.edits.length > 0;
  };
  const jump = (step: 1 | -1): void => {
    for (let number = focused.current + step; number >= 0 && number < rows.count; number += step) {
      if (!isChange(number)) {
        if (rows.rowAt(number) === undefined) rows.onShown(number, number + 1);
        continue;
      }
      focused.current = number;
      setReveal((before) => ({ row: number, count: (before?.count ?? 0) + 1 }));
      requestAnimationFrame(() => requestAnimationFrame(() => editAt(rows.keyOf(number))?.focus({ preventScroll: true })));
      return;
    }
  };
  useKeys({
    n: () => jump(1),
    p: () => jump(-1),
    e: () => jump(1),
    o: () => (editOf(document.activeElement) ?? editAt(rows.keyOf(Math.max(0, focused.current))))?.querySelector("button")?.click(),
  });
  useEffect(() => {
    focused.current = -1;
  }, [path, show]);

  // A search hit: reveal the row that holds its place.
  const wanted = useRef(at);
  useEffect(() => {
    if (wanted.current === null || !rows.isReady) return;
    for (let number = 0; number < rows.count; number++) {
      const row = rows.rowAt(number);
      if (row === undefined) rows.onShown(number, number + 1);
      else if (row.type !== "fold" && [...row.left, ...row.right].some(({ place }) => place === wanted.current)) {
        wanted.current = null;
        setReveal((before) => ({ row: number, count: (before?.count ?? 0) + 1 }));
        return;
      }
    }
  });

  return (
    <section aria-label="What the client sent beside what was sent">
      <div class="dbar">
        <Choice<Show>
          label="Which blocks"
          options={[
            { value: "new", label: "New edits", count: amount(sides.newEdits) },
            { value: "edits", label: "All edits", count: amount(sides.edits) },
            { value: "all", label: "Everything", count: amount(sides.rows) },
          ]}
          value={show}
          onChoose={(value) => setParams({ show: value === "new" ? undefined : value, at: undefined })}
        />
        <span class="dim hide-s">
          <kbd>n</kbd> <kbd>p</kbd> next, previous change
        </span>
      </div>
      <div class="diff">
        <div class="dh">
          <div>
            <b>What the client sent</b>
            <span class="dim">
              {amount(sides.client.tokens)} tokens, {counted(sides.client.blocks, "block")}
            </span>
          </div>
          <div>
            <b>What was sent</b>
            <span class="dim">
              {amount(sides.sent.tokens)} tokens, {counted(sides.sent.blocks, "block")}
            </span>
          </div>
        </div>
        {rows.error !== undefined ? (
          <Trouble isPart error={rows.error.answer} />
        ) : !rows.isReady ? (
          <Waiting what="Reading the blocks …" />
        ) : (
          <VirtualRows
            label="Blocks, in the order in which they were sent"
            count={rows.count}
            keyOf={rows.keyOf}
            estimatedPx={show === "all" ? 96 : 150}
            onShown={rows.onShown}
            reveal={reveal}
            render={(number) => {
              const row = rows.rowAt(number);
              if (row === undefined) return <div class="ghost-row" />;
              if (row.type === "fold") return <Fold fold={row} onOpen={() => rows.unfold(row)} />;
              const before = number === 0 ? undefined : rows.rowAt(number - 1);
              const isFirstAnswer = row.isAnswer === true && (before === undefined || before.type === "fold" || before.isAnswer !== true);
              return (
                <>
                  {isFirstAnswer && <p class="sep-row">What came back</p>}
                  <Pair row={row} path={path} />
                </>
              );
            }}
          />
        )}
      </div>
    </section>
  );
}

function editAt(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] .edit`);
}

function editOf(element: Element | null): HTMLElement | null {
  return element?.closest<HTMLElement>("[data-changed]")?.querySelector(".edit") ?? null;
}

function Fold({ fold: { blocks, edits, tokens, what }, onOpen }: { readonly fold: FoldRow; readonly onOpen: () => void }): JSX.Element {
  return (
    <button type="button" class="fold" aria-expanded={false} onClick={onOpen}>
      <Icon name="expand" />
      <span class="medium nowrap">
        {counted(blocks, "block")} {edits === 0 ? "unchanged" : `with ${counted(edits, "earlier edit")}`}
      </span>
      <span class="what hide-s">{visible(what)}</span>
      <span class="sp" />
      <span class="nowrap">{amount(tokens)} tokens</span>
    </button>
  );
}
