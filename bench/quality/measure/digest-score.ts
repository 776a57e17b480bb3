import { ledgerOf } from "../../../src/content/files/ledger.ts";
import { blocksOf, isText, isToolResult, isToolUse, resultText, type Message } from "../../../src/messages/message.ts";
import { estimateTokens } from "../../../src/tokens/estimate-tokens.ts";

interface Kept {
  readonly kept: number;
  readonly of: number;
}

/** How much a digest retains of its originals. Judged by the text alone: nothing here knows how digests are written. */
export interface DigestScore {
  readonly turns: number;
  readonly tokens: number;
  readonly handleTokens: number;
  /** Tokens of the assistant's text, up to 150 per turn. */
  readonly words: Kept;
  /** Names of files created, changed or deleted. */
  readonly files: Kept;
  /** Items of the last plan. */
  readonly plan: Kept;
  /** The last error, if it was not fixed inside the stretch. */
  readonly error: Kept;
}

const TURN_TOKENS = 150;
const NONE: Kept = { kept: 0, of: 0 };

export function measureDigest(log: readonly Message[], from: number, to: number, text: string): DigestScore {
  const stretch = log.slice(from, to);
  const said = stretch.filter(({ role }) => role === "assistant");
  const plain = flat(text);
  const handles = text.match(/[a-z0-9]{8}-\d+(?:…-\d+)?|\[recall handles?: [^\]]*\]|\[-[^\]]*\]/g) ?? [];
  return {
    turns: said.length,
    tokens: estimateTokens(text),
    handleTokens: estimateTokens(handles.join(" ")),
    words: said.map((message) => wordsKept(message, plain)).reduce(plus, NONE),
    files: filesKept(stretch, text),
    plan: planKept(stretch, plain),
    error: errorKept(log, from, to, plain),
  };
}

export function addUp(scores: readonly DigestScore[]): DigestScore {
  const start: DigestScore = { turns: 0, tokens: 0, handleTokens: 0, words: NONE, files: NONE, plan: NONE, error: NONE };
  return scores.reduce(
    (sum, score) => ({
      turns: sum.turns + score.turns,
      tokens: sum.tokens + score.tokens,
      handleTokens: sum.handleTokens + score.handleTokens,
      words: plus(sum.words, score.words),
      files: plus(sum.files, score.files),
      plan: plus(sum.plan, score.plan),
      error: plus(sum.error, score.error),
    }),
    start,
  );
}

function plus(one: Kept, other: Kept): Kept {
  return { kept: one.kept + other.kept, of: one.of + other.of };
}

/** Sentence by sentence: those that stand in the digest as they were said. */
function wordsKept(message: Message, digest: string): Kept {
  const text = blocksOf(message).filter(isText).map((block) => block.text).join("\n"); // prettier-ignore
  if (text.trim() === "") return NONE;
  const of = Math.min(TURN_TOKENS, estimateTokens(text));
  const sentences = text.split(/\n+|(?<=[.!?:]) +/).filter((sentence) => /\w/.test(sentence));
  const all = sentences.reduce((sum, sentence) => sum + estimateTokens(sentence), 0);
  if (all === 0) return NONE;
  const shown = sentences.filter((sentence) => digest.includes(flat(sentence))).reduce((sum, sentence) => sum + estimateTokens(sentence), 0);
  return { kept: Math.min(of, (shown / all) * estimateTokens(text)), of };
}

function filesKept(stretch: readonly Message[], digest: string): Kept {
  const changed = ledgerOf(stretch).filter(({ actions }) => actions.some((action) => action !== "read"));
  // Names may be grouped, `src/{a,b}.ts`, or stand below a root that is named once.
  const isTold = (path: string): boolean => {
    if (digest.includes(path)) return true;
    const [name = "", folder = ""] = path.split(/[/\\]/).reverse();
    const stem = name.replace(/(?<=.)\.\w+$/, "");
    return digest.includes(folder) && digest.split("\n").some((line) => line.includes(name) || (line.includes(stem) && line.includes("{")));
  };
  return { kept: changed.filter(({ path }) => isTold(path)).length, of: changed.length };
}

/** The items of the last call whose input is a list of things with a status. */
function planKept(stretch: readonly Message[], digest: string): Kept {
  const items = stretch
    .flatMap(blocksOf)
    .filter(isToolUse)
    .map(({ name, input }) => (/todo|plan/i.test(name) ? itemsIn(input) : []))
    .findLast((found) => found.length > 0);
  if (items === undefined) return NONE;
  return { kept: items.filter((item) => digest.includes(flat(item))).length, of: items.length };
}

function itemsIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  const list = Object.values(input).find(Array.isArray) as unknown[] | undefined;
  return (list ?? []).flatMap((item) => {
    if (typeof item === "string") return [item];
    if (typeof item !== "object" || item === null) return [];
    const fields = item as Record<string, unknown>;
    const text = fields["content"] ?? fields["step"] ?? fields["description"] ?? fields["title"];
    return typeof text === "string" ? [text] : [];
  });
}

/** The last error of the stretch, unless the same call worked after it. A line of it that says most is looked for. */
function errorKept(log: readonly Message[], from: number, to: number, digest: string): Kept {
  const calls = new Map<string, string>();
  let last: { readonly key: string; readonly text: string } | undefined;
  for (const block of log.slice(0, to).flatMap(blocksOf)) if (isToolUse(block)) calls.set(block.id, `${block.name} ${JSON.stringify(block.input)}`);
  for (const block of log.slice(from).flatMap(blocksOf)) {
    if (!isToolResult(block)) continue;
    const key = calls.get(block.tool_use_id) ?? "";
    if (block.is_error === true) last = { key, text: resultText(block) };
    else if (last?.key === key) last = undefined;
  }
  const isInside = log.slice(from, to).flatMap(blocksOf).some((block) => isToolResult(block) && block.is_error === true && resultText(block) === last?.text); // prettier-ignore
  if (last === undefined || !isInside || last.text.trim() === "") return NONE;
  const lines = last.text.split("\n").map((line) => flat(line).slice(0, 80)).filter((line) => /\w/.test(line)); // prettier-ignore
  return { kept: lines.some((line) => digest.includes(line)) ? 1 : 0, of: 1 };
}

/** Removes marks at line starts, quotes and white space, so that only the words remain. */
function flat(text: string): string {
  return text
    .replaceAll(/\\[nrt]/g, " ")
    .replaceAll(/^(?:[|=] ?|- \[.\] )/gm, "")
    .replaceAll(/[\s"'`\\]+/g, "");
}
