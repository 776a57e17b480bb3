import { isRecord } from "../../../errors/is-record.ts";
import type { Answer, Relay } from "../../front-end/wire.ts";
import { fieldsOf, objectsIn, pick, without, type JsonFields } from "../json-fields.ts";
import { ChatAccumulator, firstChoice } from "./chat-accumulator.ts";
import { ReadAnswers } from "../read-answers.ts";
import { mergeChatAnswers, PARAGRAPH, readChatAnswer, TEXT_FIELDS } from "./chat-answer.ts";
import { ShownCalls } from "./shown-calls.ts";
import type { MergeUsage } from "../sum-counts.ts";

export class ChatRelay implements Relay<object> {
  readonly #isHidden: (toolName: string) => boolean;
  readonly #mergeUsage: MergeUsage;
  readonly #answers = new ReadAnswers(() => new ChatAccumulator());
  readonly #calls: ShownCalls;
  /** Fields by which the client knows that chunks belong together: those of the first answer. */
  #identity: JsonFields | undefined;
  /** Fields that have text in earlier answers and none yet in the current one. */
  #needsParagraph = new Set<string>();
  readonly #saidIn = new Set<string>();
  #held: JsonFields[] = [];

  constructor(isHidden: (toolName: string) => boolean, mergeUsage: MergeUsage) {
    this.#isHidden = isHidden;
    this.#mergeUsage = mergeUsage;
    this.#calls = new ShownCalls(isHidden);
  }

  relay(event: object): readonly object[] {
    const given = fieldsOf(event);
    this.#answers.current.add(given);
    // Azure begins with a chunk about the prompt, which has no id.
    if (saysText(given["id"])) this.#identity ??= pick(given, ["id", "created"]);
    const chunk = this.#answers.isContinued ? { ...given, ...this.#identity } : given;
    const choice = firstChoice(chunk["choices"]);
    if (choice !== undefined) return this.#relayChoice(chunk, choice);
    if (!isRecord(chunk["usage"])) return [chunk];
    this.#held.push(chunk);
    return [];
  }

  answer(): Answer | undefined {
    return this.#answers.read(readChatAnswer);
  }

  continue(): void {
    this.#answers.continue();
    this.#calls.continue();
    this.#needsParagraph = new Set(this.#saidIn);
    this.#held = [];
  }

  end(): readonly object[] {
    const held = this.#held;
    this.#held = [];
    const { before, current } = this.#answers;
    const completion = current.result();
    if (completion === undefined) return held;
    const merged = fieldsOf(mergeChatAnswers([...before, completion], this.#isHidden, this.#mergeUsage));
    return held.map((chunk) => this.#closing(chunk, merged));
  }

  #relayChoice(chunk: JsonFields, choice: JsonFields): readonly object[] {
    const before = fieldsOf(choice["delta"]);
    const delta = this.#shown(before);
    const says = Object.keys(delta).length > 0;
    const isEnd = (choice["finish_reason"] ?? undefined) !== undefined;
    // Some servers report the usage in an empty choice after the end.
    if (isEnd || (this.#held.length > 0 && !saysSomething(before))) {
      this.#held.push(before === delta && !says ? chunk : withChoice(chunk, choice, { delta: {} }));
      return isEnd && says ? [withChoice(without(chunk, ["usage"]), choice, { delta, finish_reason: null })] : [];
    }
    if (delta === before) return [chunk];
    return says ? [withChoice(chunk, choice, { delta })] : [];
  }

  /** Returns what the client gets of a delta: the same object if nothing is hidden. */
  #shown(delta: JsonFields): JsonFields {
    const said = this.#answers.isContinued ? this.#continued(delta) : delta;
    for (const field of TEXT_FIELDS) if (saysText(said[field])) this.#saidIn.add(field);
    const { tool_calls: calls, ...rest } = said;
    const given = objectsIn(calls);
    const shown = given.flatMap((call) => this.#calls.show(call));
    if (shown.length === given.length && shown.every((call, number) => call === given[number])) return said;
    return shown.length === 0 ? rest : { ...rest, tool_calls: shown };
  }

  /** Continues a message that has already begun: no role, no empty beginnings, and a new paragraph. */
  #continued(delta: JsonFields): JsonFields {
    const fields = Object.entries(delta).filter(([field, value]) => field !== "role" && value !== null && value !== "");
    return Object.fromEntries(fields.map(([field, value]) => [field, saysText(value) && this.#needsParagraph.delete(field) ? PARAGRAPH + value : value]));
  }

  /** Returns the end of the last answer as the end of all of them. */
  #closing(chunk: JsonFields, merged: JsonFields): object {
    const usage = this.#answers.before.length > 0 && isRecord(chunk["usage"]) ? pick(merged, ["usage"]) : {};
    const choice = firstChoice(chunk["choices"]);
    const reason = firstChoice(merged["choices"])?.["finish_reason"];
    const isOther = (choice?.["finish_reason"] ?? reason) !== reason;
    const closed = choice !== undefined && isOther ? withChoice(chunk, choice, { finish_reason: reason }) : chunk;
    return "usage" in usage ? { ...closed, ...usage } : closed;
  }
}

function withChoice(chunk: JsonFields, choice: JsonFields, changed: JsonFields): JsonFields {
  return { ...chunk, choices: objectsIn(chunk["choices"]).map((other) => (other === choice ? { ...choice, ...changed } : other)) };
}

/** Returns whether a delta has anything but the role and empty beginnings. */
function saysSomething(delta: JsonFields): boolean {
  return Object.entries(delta).some(([field, value]) => field !== "role" && value !== null && value !== "");
}

function saysText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
