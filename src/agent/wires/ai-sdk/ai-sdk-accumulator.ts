import type { JsonFields } from "../json-fields.ts";

/** Parts that come whole. */
const WHOLE: ReadonlySet<unknown> = new Set(["tool-call", "tool-result", "tool-approval-request", "custom", "file", "reasoning-file", "source"]);

/** Puts the parts of a streamed answer together into the result that `doGenerate` would have returned. */
export class AiSdkAccumulator {
  readonly #content: JsonFields[] = [];
  /** Indexes in the content of text and reasoning that have not ended. */
  readonly #open = new Map<string, number>();
  #ending: JsonFields | undefined;
  #hasFailed = false;

  add(part: JsonFields): void {
    const { type } = part;
    if (type === "text-start" || type === "reasoning-start") this.#start(part, type === "text-start" ? "text" : "reasoning");
    else if (type === "text-delta" || type === "text-end") this.#grow(part, "text");
    else if (type === "reasoning-delta" || type === "reasoning-end") this.#grow(part, "reasoning");
    else if (type === "finish") this.#ending = part;
    else if (type === "error") this.#hasFailed = true;
    else if (WHOLE.has(type)) this.#content.push(part);
  }

  /** Undefined until it is complete. */
  result(): object | undefined {
    if (this.#hasFailed || this.#ending === undefined) return undefined;
    const { type: _, ...ending } = this.#ending;
    return { content: this.#content, ...ending };
  }

  #start(part: JsonFields, type: "text" | "reasoning"): void {
    this.#open.set(`${type}:${JSON.stringify(part["id"])}`, this.#content.length);
    this.#content.push({ type, text: "", ...metadataOf(part) });
  }

  /** The last metadata of a part counts; it has the signature of reasoning. */
  #grow(part: JsonFields, type: "text" | "reasoning"): void {
    const position = this.#open.get(`${type}:${JSON.stringify(part["id"])}`);
    const before = position === undefined ? undefined : this.#content[position];
    if (position === undefined || before === undefined) return;
    const { delta, citations } = part;
    const text = (typeof before["text"] === "string" ? before["text"] : "") + (typeof delta === "string" ? delta : "");
    this.#content[position] = { ...before, text, ...((citations ?? undefined) === undefined ? {} : { citations }), ...metadataOf(part) };
  }
}

function metadataOf({ providerMetadata }: JsonFields): JsonFields {
  return (providerMetadata ?? undefined) === undefined ? {} : { providerMetadata };
}
