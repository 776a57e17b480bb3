import { hasId, isBoundToId, isReasoning, withoutId } from "./item-kinds.ts";
import type { ResponseItem } from "./response-item.ts";

/**
 * Writes the items of a view from left to right, and keeps the two rules about reasoning: it is shown only before an item
 * that it produced (C3), and that item keeps its id only after it (C4).
 */
export class ItemWriter {
  readonly items: ResponseItem[] = [];
  readonly #shownReasoning = new Set<ResponseItem>();

  add(item: ResponseItem): void {
    this.items.push(item);
  }

  /** `inherited`: the reasoning before the response, which its first items may have come from. */
  addResponse(response: readonly ResponseItem[], inherited: ResponseItem | undefined): void {
    let reasoning = inherited;
    for (const item of response) {
      if (isReasoning(item)) {
        this.#addReasoning(item);
        reasoning = item;
      } else this.#addProduced(item, reasoning);
    }
  }

  /**
   * `shown`: the remaining and new items of the response. Its reasoning belonged to the original response, so it is dropped.
   * But an item that must keep its id needs its reasoning too, which then stays in its place.
   */
  addChangedResponse(shown: readonly ResponseItem[], response: readonly ResponseItem[], inherited: ResponseItem | undefined): void {
    const producedBy = new Map<ResponseItem, ResponseItem | undefined>();
    const needed = new Set<ResponseItem>();
    let reasoning: ResponseItem | undefined;
    for (const item of response) {
      if (isReasoning(item)) reasoning = item;
      else producedBy.set(item, reasoning);
    }
    for (const item of shown) {
      const source = isBoundToId(item) ? producedBy.get(item) : undefined;
      if (source !== undefined) needed.add(source);
    }
    for (const item of shown) {
      const source = producedBy.get(item);
      // If something was inserted into a response, each of its pieces is added separately.
      if (source !== undefined && needed.delete(source) && !this.#shownReasoning.has(source)) this.#addReasoning(source);
      if (producedBy.has(item)) this.#addProduced(item, source ?? inherited);
      else this.add(withoutId(item)); // Changed since the provider produced it, or never part of this response.
    }
  }

  #addReasoning(item: ResponseItem): void {
    this.add(item);
    this.#shownReasoning.add(item);
  }

  #addProduced(item: ResponseItem, reasoning: ResponseItem | undefined): void {
    const keepsId = reasoning === undefined || !hasId(item) || this.#shownReasoning.has(reasoning);
    this.add(keepsId ? item : withoutId(item));
  }
}
