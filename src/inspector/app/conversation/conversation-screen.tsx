import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ContextAnswer, ConversationAnswer, ConversationRow, EditEvent, EditsAnswer } from "../../answers.ts";
import { Choice } from "../parts/choice.tsx";
import { Icon } from "../parts/icon.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { visible } from "../parts/visible-text.tsx";
import { Shell } from "../shell/shell.tsx";
import { read, refPath, useAnswer, ApiError } from "../state/api.ts";
import { changed } from "../state/live.ts";
import { conversationPath, go, listPath } from "../state/route.ts";
import { ago, amount, clock, counted, duration, short } from "../words/numbers.ts";
import { now } from "../words/now.ts";
import { shownTitle } from "../words/shown-title.ts";
import { CallChart } from "./call-chart.tsx";
import { CallTable } from "./call-table.tsx";
import { eventsOf } from "./call-words.ts";
import { EditList } from "./edit-list.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { ThreeAnswers } from "./three-answers.tsx";
import { ContextTable, TreeMap } from "./tree-map.tsx";
import { useCalls } from "./use-calls.ts";
import type { CallPoint } from "../../answers.ts";
import { usd } from "../words/numbers.ts";

export interface ConversationScreenProps {
  readonly thread: string;
  readonly branch: string;
  readonly tab: "overview" | "calls" | "edits";
}

const LIVE_MS = 2 * 60_000;

export function ConversationScreen({ thread, branch, tab }: ConversationScreenProps): JSX.Element {
  const ref = { thread, branch };
  const [version, setVersion] = useState(0);
  const news = changed.value;
  useEffect(() => {
    if (news?.row.thread === thread && news.row.branch === branch) setVersion((count) => count + 1);
  }, [news]);
  const answer = useAnswer<ConversationAnswer>(refPath(ref), version);
  const { calls } = useCalls(ref, version);
  const [exports, setExports] = useState(false);
  const row = answer.data?.conversation;
  const title = row === undefined ? "Conversation" : shownTitle(row.title);
  return (
    <Shell
      title={title}
      crumbs={[
        { label: "Conversations", href: listPath() },
        { label: title, href: conversationPath(ref) },
      ]}
      hints={[
        ["← →", "move in the chart"],
        ["e", "next edit"],
        ["Esc", "back"],
      ]}
      keys={{
        "/": () => go(listPath()),
        Escape: () => go(tab === "overview" ? listPath() : conversationPath(ref)),
        e: focusNextEdit,
        j: () => focusNext(".call-row, .ev a", 1),
        k: () => focusNext(".call-row, .ev a", -1),
        ArrowRight: () => document.querySelector<HTMLElement>(".chart")?.focus(),
        ArrowLeft: () => document.querySelector<HTMLElement>(".chart")?.focus(),
      }}
    >
      {answer.data === undefined || row === undefined ? (
        answer.error === undefined ? (
          <Waiting what="Reading the conversation …" />
        ) : (
          <Trouble error={answer.error.answer} onRetry={answer.reload} />
        )
      ) : (
        <>
          <div class="head">
            <div>
              <h1 dir="auto">{visible(title)}</h1>
              <Facts answer={answer.data} />
            </div>
            <div class="acts">
              <button type="button" class="btn" onClick={() => setExports(true)}>
                <Icon name="download" />
                Export
              </button>
            </div>
          </div>
          <nav class="tabs" aria-label="Conversation">
            <Tab href={conversationPath(ref)} isCurrent={tab === "overview"} label="Overview" />
            <Tab href={conversationPath(ref, "calls")} isCurrent={tab === "calls"} label="Calls" count={row.calls + row.sideCalls} />
            <Tab href={conversationPath(ref, "edits")} isCurrent={tab === "edits"} label="Edits" count={answer.data.edits.inForce} />
          </nav>
          {tab === "overview" && <Overview answer={answer.data} calls={calls} version={version} />}
          {tab === "calls" && (calls === undefined ? <Waiting what="Reading the calls …" /> : <CallTable conversation={ref} calls={calls} />)}
          {tab === "edits" && <Edits conversation={row} version={version} />}
          {exports && <ExportDialog conversation={row} onClose={() => setExports(false)} />}
        </>
      )}
    </Shell>
  );
}

function Tab({
  href,
  isCurrent,
  label,
  count,
}: {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly label: string;
  readonly count?: number;
}): JSX.Element {
  return (
    <a href={href} {...(isCurrent ? { "aria-current": "page" as const } : {})}>
      {label}
      {count !== undefined && <span class="n">{amount(count)}</span>}
    </a>
  );
}

function Facts({ answer: { conversation: row, parent, children } }: { readonly answer: ConversationAnswer }): JSX.Element {
  const isLive = now.value - row.lastMs < LIVE_MS && !row.isDemo;
  const { agent, version, project } = row.client;
  return (
    <div class="meta">
      <span>
        {isLive ? (
          <>
            <span class="dot live" />
            Live, call {amount(row.calls)} a moment ago
          </>
        ) : (
          `Last call ${ago(row.lastMs, now.value)}${now.value - row.lastMs < 3_600_000 ? " ago" : ""}`
        )}
      </span>
      {row.isDemo && <span class="tag">demo</span>}
      {agent !== undefined && <span>{visible(`${agent}${version === undefined ? "" : ` ${version}`}`)}</span>}
      {row.model !== undefined && <span>{visible(row.model)}</span>}
      {row.policy !== undefined && <span>policy {row.policy}</span>}
      {project !== undefined && <span class="mono">{visible(project)}</span>}
      <span>
        Started {clock(row.beganMs, now.value)}, {duration(row.lastMs - row.beganMs)}
      </span>
      {parent !== undefined && (
        <span>
          {row.parentKind === "compacted" ? "continues" : row.parentKind === "branch" ? "branch of" : "sub-agent of"}
          <a class="link" href={conversationPath(parent)}>
            {visible(shortTitle(parent))}
          </a>
        </span>
      )}
      {children.length > 0 && <Children rows={children} />}
    </div>
  );
}

function Children({ rows }: { readonly rows: readonly ConversationRow[] }): JSX.Element {
  return (
    <span>
      {counted(rows.length, "sub-agent")}:
      {rows.slice(0, 4).map((row, number) => (
        <a key={`${row.thread}/${row.branch}`} class="link" href={conversationPath(row)}>
          {visible(shortTitle(row))}
          {number < Math.min(rows.length, 4) - 1 && ","}
        </a>
      ))}
    </span>
  );
}

function shortTitle({ title }: ConversationRow): string {
  return title.length > 44 ? `${title.slice(0, 43)}…` : title === "" ? "untitled" : title;
}

function Overview({
  answer,
  calls,
  version,
}: {
  readonly answer: ConversationAnswer;
  readonly calls: readonly CallPoint[] | undefined;
  readonly version: number;
}): JSX.Element {
  const { conversation } = answer;
  const own = (calls ?? []).filter(({ kind }) => kind === "conversation");
  const last = own.at(-1)?.sequence;
  const edits = useAnswer<EditsAnswer>(`${refPath(conversation)}/edits?limit=8`, version);
  const [view, setView] = useState<"chart" | "table">("chart");
  return (
    <>
      <ThreeAnswers answer={answer} />
      <section class="card gap" aria-labelledby="h-chart">
        <header>
          <h2 id="h-chart">Tokens per call</h2>
          <span class="sp" />
          <Choice
            label="Show as"
            options={[
              { value: "chart", label: "Chart" },
              { value: "table", label: "Table" },
            ]}
            value={view}
            onChoose={setView}
          />
        </header>
        <div class="body">
          {calls === undefined ? (
            <Waiting what="Reading the calls …" />
          ) : own.length === 0 ? (
            <p class="dim">No call of this conversation is recorded.</p>
          ) : view === "chart" ? (
            <CallChart conversation={conversation} calls={own} />
          ) : (
            <PointTable calls={own} />
          )}
        </div>
      </section>
      <div class="cols">
        <Context conversation={conversation} sequence={last} />
        <section class="card" aria-labelledby="h-edits">
          <header>
            <h2 id="h-edits">Edits</h2>
            <span class="dim">
              {amount(answer.edits.inForce)} hold{answer.edits.undone > 0 && `, ${amount(answer.edits.undone)} undone`}
            </span>
          </header>
          <div class="body">
            {edits.data === undefined ? (
              <Waiting what="Reading the edits …" />
            ) : edits.data.events.length === 0 ? (
              <p class="dim">Nothing was shortened yet.</p>
            ) : (
              <>
                <EditList conversation={conversation} events={edits.data.events} />
                {edits.data.next !== undefined && (
                  <a class="link" href={conversationPath(conversation, "edits")}>
                    All edits
                  </a>
                )}
              </>
            )}
          </div>
        </section>
      </div>
    </>
  );
}

function Context({ conversation, sequence }: { readonly conversation: ConversationRow; readonly sequence: number | undefined }): JSX.Element {
  const context = useAnswer<ContextAnswer>(sequence === undefined ? undefined : `${refPath(conversation)}/calls/${sequence}/context`);
  const [side, setSide] = useState<"sent" | "full">("sent");
  const [view, setView] = useState<"map" | "table">("map");
  const parts = context.data?.[side] ?? [];
  return (
    <section class="card" aria-labelledby="h-context">
      <header>
        <h2 id="h-context">What fills the context now</h2>
        <span class="dim">{short(side === "sent" ? conversation.sentTokens : conversation.fullTokens)} tokens</span>
        <span class="sp" />
        <Choice
          label="Which"
          options={[
            { value: "sent", label: "Sent" },
            { value: "full", label: "Full" },
          ]}
          value={side}
          onChoose={setSide}
        />
        <Choice
          label="Show what fills it as"
          options={[
            { value: "map", label: "Map" },
            { value: "table", label: "Table" },
          ]}
          value={view}
          onChoose={setView}
        />
      </header>
      <div class="body fill">
        {context.error !== undefined ? (
          <p class="dim">
            {context.error.answer.message} {context.error.answer.remedy}
          </p>
        ) : view === "table" ? (
          <ContextTable parts={parts} />
        ) : (
          <TreeMap parts={parts} />
        )}
        <div class="legend">
          <span>
            <i class="sw fixed" />
            fixed
          </span>
          <span>
            <i class="sw results" />
            tool results
          </span>
          <span>
            <i class="sw words" />
            words
          </span>
          <span>
            <i class="sw ours" />
            written by an edit
          </span>
        </div>
      </div>
    </section>
  );
}

function PointTable({ calls }: { readonly calls: readonly CallPoint[] }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Tokens per call, as a table">
      <table class="tbl">
        <thead>
          <tr>
            <th>Call</th>
            <th>Time</th>
            <th class="num">Read</th>
            <th class="num">Written</th>
            <th class="num">Uncached</th>
            <th class="num">Sent</th>
            <th class="num">Without us</th>
            <th class="num">Cost</th>
            <th>What happened</th>
          </tr>
        </thead>
        <tbody>
          {calls
            .slice(-2_000)
            .toReversed()
            .map((call) => (
              <tr key={call.sequence}>
                <td>{amount(call.sequence)}</td>
                <td>{clock(call.atMs, now.peek())}</td>
                <td class="num">{amount(call.read)}</td>
                <td class="num">{amount(call.written)}</td>
                <td class="num">{amount(call.uncached)}</td>
                <td class="num">{amount(call.sent)}</td>
                <td class="num">{amount(call.full)}</td>
                <td class="num">{usd(call.dollars)}</td>
                <td>{eventsOf(call)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Edits({ conversation, version }: { readonly conversation: ConversationRow; readonly version: number }): JSX.Element {
  const first = useAnswer<EditsAnswer>(`${refPath(conversation)}/edits`, version);
  const [more, setMore] = useState<{ readonly events: readonly EditEvent[]; readonly next: number | undefined }>();
  const [problem, setProblem] = useState("");
  useEffect(() => setMore(undefined), [version]);
  if (first.data === undefined)
    return first.error === undefined ? <Waiting what="Reading the edits …" /> : <Trouble isPart error={first.error.answer} onRetry={first.reload} />;
  const events = [...first.data.events, ...(more?.events ?? [])];
  const next = more === undefined ? first.data.next : more.next;
  const load = (): void => {
    read<EditsAnswer>(`${refPath(conversation)}/edits?after=${next ?? 0}`)
      .then((page) => setMore({ events: [...(more?.events ?? []), ...page.events], next: page.next }))
      .catch((error: unknown) => setProblem(error instanceof ApiError ? error.answer.message : "They cannot be read now."));
  };
  return (
    <section class="card" aria-labelledby="h-all-edits">
      <h2 id="h-all-edits" class="vh">
        Edits, the newest first
      </h2>
      <div class="body">
        {events.length === 0 ? <p class="dim">Nothing was shortened yet.</p> : <EditList conversation={conversation} events={events} />}
        {problem !== "" && <p class="dim">{problem}</p>}
        {next !== undefined && (
          <p class="more-row">
            <button type="button" class="btn s" onClick={load}>
              Earlier
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

function focusNextEdit(): void {
  focusNext(".ev a", 1);
}

function focusNext(selector: string, step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex((one) => one === document.activeElement);
  const next = all[at === -1 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
