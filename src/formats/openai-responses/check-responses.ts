import { boolean, parseOptions } from "../../errors/parse-options.ts";
import type { Finding } from "../../messages/check-messages.ts";
import { TARGET_FIELDS } from "../../messages/target.ts";
import type { CheckOptions } from "../codec.ts";
import { hasId, isReasoning, isReference, sideOf } from "./item-kinds.ts";
import { referredCalls } from "./referred-calls.ts";
import { parseResponseItems, type ResponseItem } from "./response-item.ts";
import { callIdOf, mustBeAnswered } from "./tool-calls.ts";
import { answeredIdOf, mustAnswer } from "./tool-outputs.ts";

type Find = (rule: string, position: number, message: string) => void;

/** Checks section C of the provider rules in one pass. Faults that only the provider can know are not reported. */
export function checkResponses(input: readonly ResponseItem[], options: CheckOptions = {}): Finding[] {
  const { history = false, store } = parseOptions(options, "options", { ...TARGET_FIELDS, history: boolean, store: boolean });
  const items = parseResponseItems(input);
  const findings: Finding[] = [];
  const find: Find = (rule, position, message) => void findings.push({ rule, path: `input.${position}`, message });
  const pairs = new Pairs(find, referredCalls(items));
  const reasoning = new Reasoning(find, store !== false);
  items.forEach((item, position) => {
    const side = sideOf(item);
    pairs.look(item, position, side === "output");
    reasoning.look(item, position, side === "response");
    if (side === "user" || side === "system") pairs.beginLoop(position);
    if (store === false) checkStored(item, position, find);
    if (item.type === "reasoning" && !Array.isArray(item.summary)) find("C6", position, `Input[${position}] missing required field summary`);
  });
  pairs.end(history);
  if (!history) reasoning.end();
  return findings;
}

/** C1, C2, C7: outputs are paired with calls by call id, in any position. An output answers the nearest open call before it. */
class Pairs {
  readonly #find: Find;
  readonly #open = new Map<string, { readonly item: ResponseItem; readonly position: number }[]>();
  readonly #referred: ReadonlyMap<ResponseItem, string>;
  #loopStart = -1;

  constructor(find: Find, referred: ReadonlyMap<ResponseItem, string>) {
    this.#find = find;
    this.#referred = referred;
  }

  look(item: ResponseItem, position: number, isOutput: boolean): void {
    if (isOutput) {
      this.#answer(item, position);
      return;
    }
    const id = callIdOf(item) ?? this.#referred.get(item);
    if (id === undefined) return;
    const open = this.#open.get(id);
    if (open === undefined) this.#open.set(id, [{ item, position }]);
    else open.push({ item, position });
  }

  /** In a history, calls made since then may still be answered. */
  beginLoop(position: number): void {
    this.#loopStart = position;
  }

  end(history: boolean): void {
    const unanswered = [...this.#open.values()].flat().sort((a, b) => a.position - b.position);
    for (const { item, position } of unanswered) {
      if (!mustBeAnswered(item) || (history && position > this.#loopStart)) continue;
      this.#find("C1", position, `No tool output found for ${words(item)} ${callIdOf(item) ?? ""}.`);
    }
  }

  #answer(item: ResponseItem, position: number): void {
    const id = answeredIdOf(item);
    if (this.#open.get(id)?.pop() !== undefined || !mustAnswer(item)) return;
    this.#find("C2", position, `No tool call found for ${words(item)} with call_id ${id}.`);
  }
}

/** "function_call_output": "function call output". */
function words({ type }: ResponseItem): string {
  return (type ?? "").replaceAll("_", " ");
}

/** C3, C4: reasoning and the items that it produced. */
class Reasoning {
  readonly #find: Find;
  readonly #stores: boolean;
  /** The last reasoning of the current response. */
  #last: { readonly item: ResponseItem; readonly position: number } | undefined;
  #isFollowed = true;

  constructor(find: Find, stores: boolean) {
    this.#find = find;
    this.#stores = stores;
  }

  look(item: ResponseItem, position: number, isOfResponse: boolean): void {
    if (!isOfResponse) {
      this.end();
      this.#last = undefined;
    } else if (isReasoning(item)) {
      this.#last = { item, position };
      this.#isFollowed = false;
    } else if (this.#last !== undefined) {
      const { item: reasoning } = this.#last;
      // The provider finds the following item by its id. For encrypted reasoning, reports differ (mastra-ai/mastra#11103).
      if (!isEncrypted(reasoning) && !hasId(item)) this.end();
      this.#isFollowed = true;
      // The provider looks for an item's reasoning by id (C4). Whether an item came from reasoning that is missing here, the request does not tell.
      if (this.#stores && hasId(item) && !hasId(reasoning) && !isEncrypted(reasoning))
        this.#find("C4", position, `Item '${item.id ?? ""}' of type '${item.type ?? "item_reference"}' was provided without its required 'reasoning' item.`);
    }
  }

  /** Reports reasoning that is not followed by anything it could have produced. Without an id the provider does not look it up. */
  end(): void {
    if (this.#isFollowed || this.#last === undefined) return;
    const { item, position } = this.#last;
    if (hasId(item)) this.#find("C3", position, `Item '${item.id ?? ""}' of type 'reasoning' was provided without its required following item.`);
    this.#isFollowed = true;
  }
}

function isEncrypted(item: ResponseItem): boolean {
  return typeof item.encrypted_content === "string";
}

/** C5: with `store: false` nothing can be looked up. Ids of items that are sent in full are harmless. */
function checkStored(item: ResponseItem, position: number, find: Find): void {
  if (!isReference(item) && !(isReasoning(item) && hasId(item) && !isEncrypted(item))) return;
  find(
    "C5",
    position,
    `Item with id '${item.id ?? ""}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
  );
}
