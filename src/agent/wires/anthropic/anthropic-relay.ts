import type { Answer, Relay } from "../../front-end/wire.ts";
import { fieldsOf, pick, type JsonFields } from "../json-fields.ts";
import { ReadAnswers } from "../read-answers.ts";
import { AnthropicAccumulator } from "./anthropic-accumulator.ts";
import { isHiddenCall, mergeAnthropicAnswers, readAnthropicAnswer } from "./anthropic-answer.ts";
import type { MergeUsage } from "../sum-counts.ts";

/** Counts of all answers in a `message_delta`. The client takes missing ones from `message_start`, which is that of the first answer. */
const DELTA_COUNTS = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "cache_read_input_tokens",
  "output_tokens",
  "output_tokens_details",
  "server_tool_use",
  "iterations",
];

export class AnthropicRelay implements Relay<object> {
  readonly #isHidden: (toolName: string) => boolean;
  readonly #mergeUsage: MergeUsage;
  readonly #answers = new ReadAnswers(() => new AnthropicAccumulator());
  /** Indexes under which the client sees the blocks of the current answer, unless hidden. */
  #places = new Map<unknown, number | "hidden">();
  #shownBlocks = 0;
  #held: JsonFields[] = [];

  constructor(isHidden: (toolName: string) => boolean, mergeUsage: MergeUsage) {
    this.#isHidden = isHidden;
    this.#mergeUsage = mergeUsage;
  }

  relay(event: object): readonly object[] {
    const fields = fieldsOf(event);
    this.#answers.current.add(fields);
    switch (fields["type"]) {
      case "message_start":
        return this.#answers.isContinued ? [] : [event];
      case "content_block_start":
        this.#place(fields);
        return this.#renumbered(fields);
      case "content_block_delta":
      case "content_block_stop":
        return this.#renumbered(fields);
      case "message_delta":
      case "message_stop":
        this.#held.push(fields);
        return [];
      default:
        return [event];
    }
  }

  answer(): Answer | undefined {
    return this.#answers.read(readAnthropicAnswer);
  }

  continue(): void {
    this.#answers.continue();
    this.#places = new Map();
    this.#held = [];
  }

  end(): readonly object[] {
    const held = this.#held;
    this.#held = [];
    const { before, current } = this.#answers;
    const message = current.result();
    if (message === undefined) return held;
    const merged = fieldsOf(mergeAnthropicAnswers([...before, message], this.#isHidden, this.#mergeUsage));
    return held.map((event) => this.#closing(event, merged));
  }

  #place(event: JsonFields): void {
    const isHidden = isHiddenCall(fieldsOf(event["content_block"]), this.#isHidden);
    this.#places.set(event["index"], isHidden ? "hidden" : this.#shownBlocks++);
  }

  #renumbered(event: JsonFields): readonly object[] {
    const place = this.#places.get(event["index"]);
    if (place === "hidden") return [];
    return place === undefined || place === event["index"] ? [event] : [{ ...event, index: place }];
  }

  /** Returns the end of the last answer as the end of all of them. */
  #closing(event: JsonFields, merged: JsonFields): object {
    if (event["type"] !== "message_delta") return event;
    const delta = fieldsOf(event["delta"]);
    const { stop_reason: reason } = merged;
    const closing = (delta["stop_reason"] ?? reason) === reason ? event : { ...event, delta: { ...delta, stop_reason: reason } };
    return this.#answers.before.length === 0
      ? closing
      : { ...closing, usage: { ...fieldsOf(event["usage"]), ...pick(fieldsOf(merged["usage"]), DELTA_COUNTS) } };
  }
}
