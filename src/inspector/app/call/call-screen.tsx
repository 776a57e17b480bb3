import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CallAnswer } from "../../answers.ts";
import { Icon } from "../parts/icon.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { visible } from "../parts/visible-text.tsx";
import { Shell } from "../shell/shell.tsx";
import { ApiError, refPath, request, useAnswer } from "../state/api.ts";
import { changed } from "../state/live.ts";
import { callPath, conversationPath, go, listPath, params } from "../state/route.ts";
import { copy, say } from "../state/toast.ts";
import { shownTitle } from "../words/shown-title.ts";
import { amount, full, time, usd } from "../words/numbers.ts";
import { CacheCard } from "./cache-card.tsx";
import { DiffView } from "./diff-view.tsx";
import { RawDialog } from "./raw-dialog.tsx";
import { TimeCard } from "./time-card.tsx";

export function CallScreen({ thread, branch, sequence }: { readonly thread: string; readonly branch: string; readonly sequence: string }): JSX.Element {
  const ref = { thread, branch };
  const path = `${refPath(ref)}/calls/${encodeURIComponent(sequence)}`;
  const [version, setVersion] = useState(0);
  const news = changed.value;
  useEffect(() => {
    // Only the number of the last call can change here.
    if (news?.row.thread === thread && news.row.branch === branch) setVersion((count) => count + 1);
  }, [news]);
  const answer = useAnswer<CallAnswer>(path, version);
  const [showsRaw, setShowsRaw] = useState(false);
  const call = answer.data;
  const title = `Call ${sequence}`;
  const name = call === undefined ? "Conversation" : shownTitle(call.conversation.title);
  const other = (number: number): string => {
    const show = params.value.get("show");
    return callPath(ref, number, show === null ? {} : { show });
  };
  const step = (by: 1 | -1): void => {
    const next = Number(sequence) + by;
    if (call !== undefined && next >= call.firstSequence && next <= call.lastSequence) go(other(next));
  };
  return (
    <Shell
      title={`${title} · ${name}`}
      crumbs={[
        { label: "Conversations", href: listPath() },
        { label: name, href: conversationPath(ref) },
        { label: title, href: callPath(ref, sequence) },
      ]}
      hints={[
        ["n p", "change"],
        ["j k", "call"],
        ["o", "original"],
        ["Esc", "back"],
      ]}
      keys={{ j: () => step(1), k: () => step(-1), Escape: () => go(conversationPath(ref)), "/": () => go(listPath()) }}
    >
      {call === undefined ? (
        answer.error === undefined ? (
          <Waiting what="Reading the call …" />
        ) : (
          <Trouble error={answer.error.answer} onRetry={answer.reload}>
            <a class="btn" href={conversationPath(ref)}>
              The conversation
            </a>
          </Trouble>
        )
      ) : (
        <>
          <div class="head">
            <div>
              <h1>
                Call {amount(call.sequence)} <span class="dim medium">of {amount(call.lastSequence)}</span>
              </h1>
              <Facts call={call} />
            </div>
            <div class="acts">
              <StepButton label="Previous call" icon="left" href={call.sequence > call.firstSequence ? other(call.sequence - 1) : undefined} />
              <StepButton label="Next call" icon="right" href={call.sequence < call.lastSequence ? other(call.sequence + 1) : undefined} />
              <button type="button" class="btn" onClick={() => void copyCurl(path)}>
                <Icon name="copy" />
                Copy as curl
              </button>
              <button type="button" class="btn" onClick={() => setShowsRaw(true)}>
                Raw JSON
              </button>
            </div>
          </div>
          <Decision decision={call.decision} />
          <div class="two">
            <CacheCard call={call} />
            <TimeCard call={call} />
          </div>
          {call.unreadable !== undefined ? (
            <div class="gap">
              <Trouble
                isPart
                error={{
                  code: "UNREADABLE",
                  message: `The blocks of this call cannot be compared: ${call.unreadable}`,
                  remedy: "The numbers above are complete. palimpsest verify says whether the store is damaged.",
                }}
              />
            </div>
          ) : call.kind === "conversation" ? (
            <DiffView key={path} call={call} path={path} />
          ) : (
            <p class="dim gap">For a call outside the conversation only the numbers are kept, not the messages.</p>
          )}
          {showsRaw && <RawDialog path={path} sequence={call.sequence} onClose={() => setShowsRaw(false)} />}
        </>
      )}
    </Shell>
  );
}

function StepButton({ label, icon, href }: { readonly label: string; readonly icon: "left" | "right"; readonly href: string | undefined }): JSX.Element {
  if (href === undefined)
    return (
      <span class="btn icon" aria-disabled="true" role="link" aria-label={`${label}: there is none`}>
        <Icon name={icon} />
      </span>
    );
  return (
    <a class="btn icon" href={href} aria-label={label}>
      <Icon name={icon} />
    </a>
  );
}

function Facts({ call }: { readonly call: CallAnswer }): JSX.Element {
  const { atMs, status, model, method, path, dollars, fullDollars, kind } = call;
  return (
    <div class="meta">
      <span title={full(atMs)}>{time(atMs, true)}</span>
      <span>{status === 200 ? "200 OK" : status === 0 ? <span class="tag bad">no answer</span> : <span class="tag bad">{status}</span>}</span>
      {kind !== "conversation" && <span class="tag">{kind === "side" ? "side call" : kind === "compaction" ? "the agent's own compaction" : "not read"}</span>}
      {model !== undefined && <span>{visible(model)}</span>}
      {path !== undefined && (
        <span class="mono">
          {method} {visible(path)}
        </span>
      )}
      <span>
        {usd(dollars)}, without us {usd(fullDollars)}
      </span>
    </div>
  );
}

function Decision({ decision: { sentence, more, isQuiet } }: { readonly decision: CallAnswer["decision"] }): JSX.Element {
  return (
    <section class={isQuiet ? "say quiet" : "say"} aria-label="What was done, and why">
      <Icon name="batch" />
      <div>
        <p class="big">{visible(sentence)}</p>
        {more.length > 0 && <p>{visible(more.join(" "))}</p>}
      </div>
    </section>
  );
}

async function copyCurl(path: string): Promise<void> {
  try {
    const text = await (await request(`${path}/request.curl`)).text();
    await copy(text, "Copied without the key: the command takes yours from $ANTHROPIC_API_KEY or $OPENAI_API_KEY.");
  } catch (error) {
    say(error instanceof ApiError ? `${error.answer.message} ${error.answer.remedy}` : "It could not be copied.");
  }
}
