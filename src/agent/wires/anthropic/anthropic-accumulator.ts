import { parseArguments } from "../../../formats/call-arguments.ts";
import { fieldsOf, type JsonFields } from "../json-fields.ts";

/** Puts the events of one answer together into the message that a request without `stream` would have got. */
export class AnthropicAccumulator {
  #message: JsonFields | undefined;
  #usage: JsonFields = {};
  readonly #blocks = new Map<unknown, JsonFields>();
  readonly #inputs = new Map<unknown, string>();
  #isComplete = false;

  add(event: JsonFields): void {
    const { index } = event;
    switch (event["type"]) {
      case "message_start":
        this.#start(fieldsOf(event["message"]));
        break;
      case "content_block_start":
        // A copy: the client's own accumulator may work on the block that it is given.
        this.#blocks.set(index, structuredClone(fieldsOf(event["content_block"])));
        break;
      case "content_block_delta":
        this.#addDelta(index, fieldsOf(event["delta"]));
        break;
      case "content_block_stop":
        this.#closeBlock(index);
        break;
      case "message_delta":
        this.#close(event);
        break;
      case "message_stop":
        this.#isComplete = true;
        break;
      case "error":
        this.#message = undefined;
        break;
      default:
    }
  }

  /** Undefined until it is complete. */
  result(): object | undefined {
    if (this.#message === undefined || !this.#isComplete) return undefined;
    return { ...this.#message, content: [...this.#blocks.values()], usage: this.#usage };
  }

  #start(message: JsonFields): void {
    const { usage, ...rest } = message;
    this.#message = rest;
    this.#usage = { ...fieldsOf(usage) };
  }

  #addDelta(index: unknown, delta: JsonFields): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    const { type } = delta;
    if (type === "input_json_delta") this.#inputs.set(index, (this.#inputs.get(index) ?? "") + text(delta["partial_json"]));
    else this.#blocks.set(index, { ...block, ...changed(block, delta) });
  }

  #closeBlock(index: unknown): void {
    const block = this.#blocks.get(index);
    const input = this.#inputs.get(index) ?? "";
    // A call without arguments has one empty delta: its input is the one that it started with.
    if (block !== undefined && input !== "") this.#blocks.set(index, { ...block, input: parseArguments(input) });
  }

  #close(event: JsonFields): void {
    const { delta, usage, type: _, ...rest } = event;
    this.#message = this.#message === undefined ? undefined : { ...this.#message, ...rest, ...fieldsOf(delta) };
    // Counts are for the whole message; null means no change.
    this.#usage = { ...this.#usage, ...Object.fromEntries(Object.entries(fieldsOf(usage)).filter(([, count]) => count !== null)) };
  }
}

/** Applies a delta to its block. Unknown kinds of deltas are ignored. */
function changed(block: JsonFields, delta: JsonFields): JsonFields {
  const { type, ...fields } = delta;
  switch (type) {
    case "text_delta":
      return { text: text(block["text"]) + text(delta["text"]) };
    case "thinking_delta":
      return { thinking: text(block["thinking"]) + text(delta["thinking"]) };
    case "citations_delta":
      return { citations: [...(Array.isArray(block["citations"]) ? (block["citations"] as readonly unknown[]) : []), delta["citation"]] };
    case "signature_delta":
    case "compaction_delta":
      // These come whole.
      return fields;
    default:
      return {};
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
