import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { AboutAnswer, ConversationRow, TotalsAnswer } from "../../answers.ts";
import { CacheLegend } from "../parts/cache-bar.tsx";
import { Icon } from "../parts/icon.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { Shell } from "../shell/shell.tsx";
import { useAnswer } from "../state/api.ts";
import { changed, demoChanges } from "../state/live.ts";
import { conversationPath, go, listPath, params, setParams } from "../state/route.ts";
import { amount, counted, percent, usd } from "../words/numbers.ts";
import { now } from "../words/now.ts";
import { ConversationLine } from "./conversation-line.tsx";
import { treeRows, type TreeRow } from "./conversation-tree.ts";
import { ClientSettings, EmptyList } from "./empty-list.tsx";
import { filterQuery, hasFilters, ListFilters } from "./list-filters.tsx";
import { SearchHits } from "./search-hits.tsx";
import { useConversations } from "./use-conversations.ts";

const LEAST_SEARCHED = 2;

export function ListScreen(): JSX.Element {
  const query = params.value;
  const text = query.get("q") ?? "";
  const filters = filterQuery(query);
  const about = useAnswer<AboutAnswer>("about", demoChanges.value);
  const totals = useAnswer<TotalsAnswer>(`totals${filters === "" ? "" : `?${filters}`}`, `${changed.value?.count ?? 0}/${demoChanges.value}`);
  const { rows, error, hasMore, more, reload } = useConversations(filters, (row) => isWanted(row, query));
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState("");
  const grid = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const wanted = useMemo(() => (rows ?? []).filter(({ title }) => text === "" || title.toLowerCase().includes(text.toLowerCase())), [rows, text]);
  const withParents = useMemo(() => withAncestors(wanted, rows ?? []), [wanted, rows]);
  const tree = useMemo(() => treeRows(withParents, closed), [withParents, closed]);
  const currentKey = tree.some(({ key }) => key === current) ? current : tree[0]?.key;

  const focusRow = (row: TreeRow | undefined): void => {
    if (row === undefined) return;
    setCurrent(row.key);
    grid.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(row.key)}"]`)?.focus();
  };
  const at = (): number => {
    const key = document.activeElement?.closest<HTMLElement>(".gr")?.dataset["key"];
    return tree.findIndex((row) => row.key === key);
  };
  const toggle = (key: string, open?: boolean): void => {
    const next = new Set(closed);
    if (open ?? next.has(key)) next.delete(key);
    else next.add(key);
    setClosed(next);
  };
  const pathOf = ({ row, isSide }: TreeRow): string => (isSide ? conversationPath(row, "calls", { kind: "side" }) : conversationPath(row));
  const move = (step: number): void => focusRow(tree[Math.max(0, Math.min(tree.length - 1, at() === -1 ? 0 : at() + step))]);
  const isInGrid = (): boolean => at() !== -1;

  return (
    <Shell
      title="Conversations"
      crumbs={[{ label: "Conversations", href: listPath() }]}
      hints={[
        ["/", "search"],
        ["j k", "move"],
        ["→ ←", "open, close branch"],
        ["↵", "open"],
      ]}
      keys={{
        "/": () => search.current?.focus(),
        j: () => move(1),
        k: () => move(-1),
        ArrowDown: () => {
          if (isInGrid()) move(1);
          else scrollBy({ top: 60 });
        },
        ArrowUp: () => {
          if (isInGrid()) move(-1);
          else scrollBy({ top: -60 });
        },
        ArrowRight: () => isInGrid() && tree[at()]?.hasChildren === true && toggle(tree[at()]?.key ?? "", true),
        ArrowLeft: () => {
          const row = tree[at()];
          if (row === undefined) return;
          if (row.isOpen) toggle(row.key, false);
          else if (row.level > 1) focusRow(tree.slice(0, at()).findLast(({ level }) => level < row.level));
        },
        Enter: () => {
          const focused = document.activeElement;
          const row = tree[at()];
          if (focused instanceof HTMLElement && focused.matches("a, button")) focused.click();
          else if (row !== undefined) go(pathOf(row));
        },
        Escape: () => setParams({ q: undefined }),
      }}
    >
      <div class="head">
        <div>
          <h1>Conversations</h1>
          <Totals totals={totals.data} isToday={query.get("since") === "today"} />
        </div>
      </div>
      <div class="bar">
        <label class="field">
          <Icon name="search" />
          <span class="vh">Search</span>
          <input
            ref={search}
            type="search"
            placeholder="Search everything ever said, shortened or not"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => setParams({ q: event.currentTarget.value })}
          />
          <kbd>/</kbd>
        </label>
        <ListFilters totals={totals.data} />
      </div>
      {about.data?.isDemo === true && <DemoNote about={about.data} />}
      {about.data?.remarks.map((remark) => (
        <p class="note" key={remark}>
          <Icon name="info" />
          <span class="sp">{remark}</span>
        </p>
      ))}
      {error !== undefined && rows === undefined ? (
        <Trouble isPart error={error.answer} onRetry={reload} />
      ) : rows === undefined ? (
        <Waiting what="Reading the conversations …" />
      ) : rows.length === 0 && !hasFilters(query) && about.data !== undefined ? (
        <EmptyList about={about.data} />
      ) : (
        <>
          {tree.length > 0 && (
            <div class="grid" role="treegrid" aria-label="Conversations" ref={grid}>
              <div role="row" class="gr h">
                <div role="columnheader">Conversation</div>
                <div role="columnheader" class="mdl">
                  Model
                </div>
                <div role="columnheader" class="num calls">
                  Calls
                </div>
                <div role="columnheader">Last call: sent of full</div>
                <div role="columnheader">Read from cache</div>
                <div role="columnheader" class="num">
                  Cost
                </div>
                <div role="columnheader" class="num">
                  Saved
                </div>
                <div role="columnheader" class="num">
                  Last
                </div>
              </div>
              {tree.map((row) => (
                <ConversationLine
                  key={row.key}
                  tree={row}
                  isCurrent={row.key === currentKey}
                  onToggle={() => toggle(row.key)}
                  onFocus={() => setCurrent(row.key)}
                  onOpen={() => go(pathOf(row))}
                />
              ))}
            </div>
          )}
          {tree.length === 0 && text === "" && <p class="dim">Nothing matches. Remove a filter to see more.</p>}
          {hasMore && (
            <p class="more-row">
              <button type="button" class="btn s" onClick={more}>
                Older conversations
              </button>
            </p>
          )}
          {text.trim().length >= LEAST_SEARCHED && <SearchHits text={text.trim()} />}
          {tree.length > 0 && (
            <div class="legend">
              <span>
                <i class="sw solid" />
                sent
              </span>
              <span>
                <i class="sw line" />
                without Palimpsest
              </span>
              <CacheLegend withoutLine={false} />
              <span class="dimmer">Saved is net of cache rewrites and recalls.</span>
            </div>
          )}
        </>
      )}
    </Shell>
  );
}

function Totals({ totals, isToday }: { readonly totals: TotalsAnswer | undefined; readonly isToday: boolean }): JSX.Element {
  if (totals === undefined) return <p class="totals">&nbsp;</p>;
  const { conversations, calls, dollars, fullDollars, isPartial } = totals;
  const saved = fullDollars - dollars;
  return (
    <p class="totals">
      <span>
        {isToday && "Today "}
        {isPartial && "The newest "}
        <b>{amount(conversations)}</b> {conversations === 1 ? "conversation" : "conversations"}, <b>{amount(calls)}</b> {calls === 1 ? "call" : "calls"}
      </span>
      <span>
        <b>{usd(dollars)}</b> instead of {usd(fullDollars)}
      </span>
      {saved >= 0.005 && (
        <span class="saved">
          <b>{usd(saved)} saved</b>, {percent(saved / fullDollars)}
        </span>
      )}
    </p>
  );
}

function DemoNote({ about }: { readonly about: AboutAnswer }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="note">
      <Icon name="info" />
      <p>
        <b>A demo, until your first request.</b> These {counted(2, "conversation")} with their sub-agents are made up and stored nowhere. Open the first one:
        every call says what was left out, and why.
      </p>
      {about.address !== undefined && (
        <button type="button" class="btn s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Connect a client
        </button>
      )}
      {isOpen && about.address !== undefined && <ClientSettings address={about.address} />}
    </div>
  );
}

/** Applies the filters as the server does. */
function isWanted({ client, model, lastMs, faults }: ConversationRow, query: URLSearchParams): boolean {
  const is = (name: string, value: string | undefined): boolean => query.get(name) === null || query.get(name) === value;
  const state = query.get("state");
  return (
    is("agent", client.agent) &&
    is("model", model) &&
    is("project", client.project) &&
    (state !== "live" || now.peek() - lastMs < 120_000) &&
    (state !== "faults" || faults > 0)
  );
}

function withAncestors(wanted: readonly ConversationRow[], all: readonly ConversationRow[]): readonly ConversationRow[] {
  const byKey = new Map(all.map((row) => [`${row.thread}/${row.branch}`, row]));
  const found = new Set(wanted);
  for (const row of wanted) {
    let parent = row.parent === undefined ? undefined : byKey.get(`${row.parent.thread}/${row.parent.branch}`);
    while (parent !== undefined && !found.has(parent)) {
      found.add(parent);
      parent = parent.parent === undefined ? undefined : byKey.get(`${parent.parent.thread}/${parent.parent.branch}`);
    }
  }
  return all.filter((row) => found.has(row));
}
