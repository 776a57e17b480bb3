import { hash } from "node:crypto";
import { isCall, isThought, pathOf, textOf, type ApiRequest, type Block, type Placed } from "./api-request.ts";
import { withoutMarkers } from "./cache-markers.ts";
import { openLoopStart } from "./open-loop.ts";
import { createPromptChain, type PromptChain } from "./prompt-chain.ts";
import type { Refusal } from "./refusal.ts";

/** Everything that the provider's signature encodes about a thinking block. */
interface Birth {
  readonly thinking: string;
  /** Everything before it, except thinking. */
  readonly prefix: string;
  /** The thinking before it. */
  readonly earlier: readonly string[];
  readonly answer: Answer;
}

/** The thinking of one response, and the thinking of the same tool loop in its request (A4.1). */
interface Answer {
  readonly model: string;
  readonly marks: readonly string[];
  readonly shown: readonly string[];
  /** The thinking in the request that was not dropped. */
  readonly kept: readonly string[];
}

type Verdict = "kept" | "unknown" | "altered" | "unbound" | "dropped";

interface Sighting {
  readonly placed: Placed;
  readonly mark: string;
  readonly verdict: Verdict;
}

/** Hashes of everything but thinking: before each thought of a request, and of all of it. */
interface Prefixes {
  readonly thoughts: readonly { readonly placed: Placed; readonly prefix: string }[];
  readonly prefix: string;
}

export interface DroppedThought {
  readonly path: string;
  readonly reason: "model_binding_mismatch" | "prefix_binding_mismatch";
}

export interface Thought {
  readonly type: "thinking" | "redacted_thinking";
  readonly thinking: string;
}

/** Signs outgoing thinking and recognizes it when it comes back (A4.1, A4.7, A4.8, A4.10). */
export interface ThinkingLedger {
  refusals(request: ApiRequest): Generator<Refusal>;
  /** Returns the request as the model reads it: without dropped thinking, from another model (A4.10) or unbound (A4.8). */
  withoutDropped(request: ApiRequest): { readonly request: ApiRequest; readonly dropped: readonly DroppedThought[] };
  sign(request: ApiRequest, thoughts: readonly Thought[], callIds: readonly string[], salt: string): readonly Block[];
}

export function createThinkingLedger(bindsThinking: boolean): ThinkingLedger {
  const births = new Map<string, Birth>();
  const answersByCall = new Map<string, Answer>();
  /** Hashing a request takes longer than everything else that is done with it. */
  const prefixes = new WeakMap<ApiRequest, Prefixes>();

  function judge(block: Block, model: string, prefix: string, earlier: readonly string[]): Verdict {
    const birth = births.get(markOf(block));
    if (birth === undefined) return "unknown";
    // A4.7: if the text was not shown (display "omitted"), any text is accepted.
    if (block.type === "thinking" && birth.thinking !== "" && block["thinking"] !== birth.thinking) return "altered";
    if (birth.answer.model !== model) return "dropped";
    return bindsThinking && (prefix !== birth.prefix || !isTail(earlier, birth.earlier)) ? "unbound" : "kept";
  }

  function sightings(request: ApiRequest): { readonly all: readonly Sighting[]; readonly prefix: string; readonly earlier: readonly string[] } {
    const { thoughts, prefix } = prefixes.get(request) ?? prefixesOf(request);
    prefixes.set(request, { thoughts, prefix });
    const earlier: string[] = [];
    const all: Sighting[] = [];
    for (const { placed, prefix: before } of thoughts) {
      const { block, position, index } = placed;
      const last = all.at(-1);
      const isBesideDropped = last?.verdict === "dropped" && last.placed.position === position && last.placed.index === index - 1;
      const found = judge(block, request.model, before, earlier);
      const isDropped = found === "unbound" && request.dropsUnbound;
      const verdict = isDropped || (found === "kept" && isBesideDropped) ? "dropped" : found;
      const mark = markOf(block);
      if (verdict === "kept") earlier.push(mark);
      all.push({ placed, mark, verdict });
    }
    return { all, prefix, earlier };
  }

  /** Returns the answers in a tool loop, recognized by their thinking, or by their calls if the thinking is missing. */
  function answersOf(request: ApiRequest, start: number): readonly Answer[] {
    return request.messages.slice(start).flatMap(({ blocks }) => {
      const byMark = blocks.filter(isThought).flatMap((block) => births.get(markOf(block))?.answer ?? []);
      return byMark.length > 0 ? byMark : blocks.filter(isCall).flatMap((block) => answersByCall.get(textOf(block["id"])) ?? []);
    });
  }

  /** A4.1: the request must have all thinking of the open tool loop that it had when the last of it was produced, or none. */
  function* loopRefusals(request: ApiRequest, all: readonly Sighting[]): Generator<Refusal> {
    const start = openLoopStart(request.messages);
    if (start === undefined) return;
    for (const { placed, verdict } of all) if (verdict === "altered" && placed.position >= start) yield modified(placed);
    const answers = answersOf(request, start).filter(({ model, marks }) => model === request.model && marks.length > 0);
    const last = answers.at(-1);
    if (last === undefined) return;
    const ofLoop = new Set([...answers.flatMap(({ marks }) => marks), ...last.shown]);
    const now = all.filter(({ mark }) => ofLoop.has(mark));
    const end = now.at(-1);
    if (end === undefined) return;
    const marks = now.map(({ mark }) => mark);
    if (![last.shown, last.kept].some((then) => isSame(marks, [...then, ...last.marks]))) yield modified(end.placed);
  }

  return {
    *refusals(request) {
      const { all } = sightings(request);
      for (const { placed, verdict } of all) if (verdict === "unknown") yield invalidSignature(placed);
      yield* loopRefusals(request, all);
      for (const { placed, verdict } of all) {
        if (verdict === "altered") yield invalidSignature(placed);
        if (verdict === "unbound") yield otherConversation(placed);
      }
    },
    withoutDropped(request) {
      const found = sightings(request).all.filter(({ verdict }) => verdict === "dropped");
      const gone = new Set(found.map(({ placed }) => placed.block));
      const dropped = found.map(({ placed, mark }): DroppedThought => {
        const isOfModel = births.get(mark)?.answer.model === request.model;
        return { path: pathOf(placed), reason: isOfModel ? "prefix_binding_mismatch" : "model_binding_mismatch" };
      });
      const messages = request.messages.map((message) => ({ ...message, blocks: message.blocks.filter((block) => !gone.has(block)) }));
      return { request: gone.size === 0 ? request : { ...request, messages }, dropped };
    },
    sign(request, thoughts, callIds, salt) {
      const { all, prefix, earlier } = sightings(request);
      const start = openLoopStart(request.messages) ?? request.messages.length;
      const ofLoop = all.filter(({ placed }) => placed.position >= start);
      const marks = thoughts.map(({ thinking }, index) => signature(`${salt} ${index} ${prefix} ${thinking}`));
      const answer: Answer = {
        model: request.model,
        marks,
        shown: ofLoop.map(({ mark }) => mark),
        kept: ofLoop.filter(({ verdict }) => verdict === "kept").map(({ mark }) => mark),
      };
      for (const id of callIds) answersByCall.set(id, answer);
      return thoughts.map(({ type, thinking }, index): Block => {
        const mark = marks[index] ?? "";
        births.set(mark, { thinking, prefix, earlier: [...earlier, ...marks.slice(0, index)], answer });
        return type === "thinking" ? { type, thinking, signature: mark } : { type, data: mark };
      });
    },
  };
}

function prefixesOf(request: ApiRequest): Prefixes {
  const chain = startChain(request);
  const thoughts: { placed: Placed; prefix: string }[] = [];
  let speaker = "";
  const say = (role: string, words: object): void => {
    // A1.3: the border between messages of the same role is not visible to the provider.
    if (role !== speaker) chain.add(role);
    speaker = role;
    chain.add(words);
  };
  request.messages.forEach(({ role, blocks, raw }, position) => {
    const { role: _, content: __, ...settings } = raw;
    if (role === "system" && Object.keys(settings).length > 0) say(role, settings);
    blocks.forEach((block, index) => {
      if (isThought(block)) thoughts.push({ placed: { block, position, index }, prefix: chain.value() });
      else say(role, withoutMarkers(block));
    });
  });
  return { thoughts, prefix: chain.value() };
}

/** A4.8: system and tools are bound too, except for tools that are loaded later. */
function startChain({ system, tools }: ApiRequest): PromptChain {
  const loaded = tools.filter((tool) => tool["defer_loading"] !== true);
  return createPromptChain([loaded.map(withoutMarkers), system.map(withoutMarkers)]);
}

function signature(text: string): string {
  return `Eq${hash("sha512", text, "base64")}`;
}

function markOf(block: Block): string {
  return textOf(block[block.type === "thinking" ? "signature" : "data"]);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** Thinking may be missing only at the front. */
function isTail(short: readonly string[], long: readonly string[]): boolean {
  return short.length <= long.length && isSame(short, long.slice(long.length - short.length));
}

function modified(placed: Placed): Refusal {
  return {
    rule: "A4.1",
    message: `${pathOf(placed)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  };
}

function invalidSignature(placed: Placed): Refusal {
  const { type } = placed.block;
  return { rule: "A4.7", message: `${pathOf(placed)}: Invalid \`${type === "thinking" ? "signature" : "data"}\` in \`${type}\` block` };
}

function otherConversation(placed: Placed): Refusal {
  const { message } = invalidSignature(placed);
  return {
    rule: "A4.8",
    message: `${message}. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`,
  };
}
