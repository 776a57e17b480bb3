import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Hit, SearchAnswer } from "../../answers.ts";
import { visible } from "../parts/visible-text.tsx";
import { ApiError, read } from "../state/api.ts";
import { callPath, conversationPath } from "../state/route.ts";
import { counted } from "../words/numbers.ts";

interface Found {
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly next: string | undefined;
  readonly searched: number;
  readonly isLoading: boolean;
  readonly problem?: string;
}

const SETTLE_MS = 160;

/** Lists where words occur, in all conversations, shortened or not. */
export function SearchHits({ text }: { readonly text: string }): JSX.Element {
  const [found, setFound] = useState<Found>({ text, hits: [], next: undefined, searched: 0, isLoading: true });
  const load = (before: Found, signal?: AbortSignal): void => {
    const after = before.next === undefined ? "" : `&after=${encodeURIComponent(before.next)}`;
    setFound({ ...before, isLoading: true });
    read<SearchAnswer>(`search?limit=20&q=${encodeURIComponent(before.text)}${after}`, signal)
      .then(({ hits, next, searched }) =>
        setFound({ text: before.text, hits: [...before.hits, ...hits], next, searched: before.searched + searched, isLoading: false }),
      )
      .catch((error: unknown) => {
        if (signal?.aborted !== true)
          setFound({
            ...before,
            isLoading: false,
            problem: error instanceof ApiError ? `${error.message} ${error.answer.remedy}` : "It cannot be searched now.",
          });
      });
  };
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => load({ text, hits: [], next: undefined, searched: 0, isLoading: true }, abort.signal), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  // Goes on past pages without a hit: the words may be further back.
  useEffect(() => {
    if (!found.isLoading && found.hits.length === 0 && found.next !== undefined && found.problem === undefined && found.text === text) load(found);
  }, [found]);

  const { hits, next, isLoading, problem, searched } = found;
  const conversations = new Set(hits.map(({ thread, branch }) => `${thread}/${branch}`)).size;
  return (
    <section class="hits" aria-live="polite" aria-busy={isLoading}>
      {problem !== undefined && <p class="dim">{problem}</p>}
      {hits.length > 0 && (
        <>
          <h2>
            {counted(hits.length, "place")}
            {next !== undefined && " so far"} <span>in {counted(conversations, "conversation")}, shortened or not</span>
          </h2>
          <div class="grid">
            {hits.map((hit) => (
              <HitLine key={`${hit.thread}/${hit.branch}/${hit.place}`} hit={hit} />
            ))}
          </div>
        </>
      )}
      {hits.length === 0 && !isLoading && problem === undefined && (
        <p class="dim">
          “{text}” was not found, shortened or not, in the {counted(searched, "conversation")} here. The search finds whole words; the last word may be a
          prefix.
        </p>
      )}
      {isLoading && hits.length === 0 && <p class="dimmer">Searching …</p>}
      {next !== undefined && hits.length > 0 && (
        <p class="more-row">
          <button type="button" class="btn s" aria-disabled={isLoading} onClick={() => !isLoading && load(found)}>
            {isLoading ? "Searching …" : "More places"}
          </button>
        </p>
      )}
    </section>
  );
}

function HitLine({ hit }: { readonly hit: Hit }): JSX.Element {
  const { sequence, who, before, match, after, state, isShortened, title, place } = hit;
  const href = sequence === undefined ? conversationPath(hit) : callPath(hit, sequence, { show: "all", at: place });
  return (
    <a class="hit" href={href} title={title}>
      <span>
        <span class="medium">{sequence === undefined ? "not sent" : `call ${sequence}`}</span> <span class="dimmer sm">{visible(who)}</span>
      </span>
      <span class="mono" dir="auto">
        {visible(before)}
        <mark>{visible(match)}</mark>
        {visible(after)}
      </span>
      <span class={isShortened ? "tag ours" : "tag"}>{state}</span>
    </a>
  );
}
