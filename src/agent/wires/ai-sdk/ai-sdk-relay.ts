import type { Answer, Relay } from "../../front-end/wire.ts";
import { fieldsOf, pick, type JsonFields } from "../json-fields.ts";
import { ReadAnswers } from "../read-answers.ts";
import { ShownIds } from "../shown-ids.ts";
import { AiSdkAccumulator } from "./ai-sdk-accumulator.ts";
import { isHiddenCall, mergeAiSdkAnswers, readAiSdkAnswer } from "./ai-sdk-answer.ts";

/** Parts with an id that is unique within one stream only. */
const LOCAL_IDS: ReadonlySet<unknown> = new Set(["text-start", "text-delta", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end"]);

export class AiSdkRelay implements Relay<object> {
  readonly #isHidden: (toolName: string) => boolean;
  readonly #answers = new ReadAnswers(() => new AiSdkAccumulator());
  readonly #ids = new ShownIds();
  readonly #hiddenCalls = new Set<unknown>();
  #held: JsonFields | undefined;

  constructor(isHidden: (toolName: string) => boolean) {
    this.#isHidden = isHidden;
  }

  relay(event: object): readonly object[] {
    const part = fieldsOf(event);
    this.#answers.current.add(part);
    switch (part["type"]) {
      case "stream-start":
        return this.#answers.isContinued ? [] : [part];
      case "finish":
        this.#held = part;
        return [];
      case "tool-input-start":
        if (isHiddenCall({ ...part, type: "tool-call" }, this.#isHidden)) this.#hiddenCalls.add(part["id"]);
        return this.#hiddenCalls.has(part["id"]) ? [] : [part];
      case "tool-input-delta":
      case "tool-input-end":
        return this.#hiddenCalls.has(part["id"]) ? [] : [part];
      case "tool-call":
        return isHiddenCall(part, this.#isHidden) ? [] : [part];
      default:
        return [this.#withShownId(part)];
    }
  }

  answer(): Answer | undefined {
    return this.#answers.read(readAiSdkAnswer);
  }

  continue(): void {
    this.#answers.continue();
    this.#ids.continue();
    this.#held = undefined;
  }

  end(): readonly object[] {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return [];
    const { before, current } = this.#answers;
    const result = current.result();
    if (result === undefined) return [held];
    const merged = mergeAiSdkAnswers([...before, result], this.#isHidden);
    if (merged === result) return [held];
    return [{ ...held, ...pick(fieldsOf(merged), ["finishReason", "usage", "providerMetadata"]) }];
  }

  #withShownId(part: JsonFields): JsonFields {
    const { id } = part;
    if (typeof id !== "string" || !LOCAL_IDS.has(part["type"])) return part;
    const shown = this.#ids.show(id);
    return shown === id ? part : { ...part, id: shown };
  }
}
