import { arrange, type ArrangeTarget } from "../edits/arrange.ts";
import type { Edit } from "../edits/edit.ts";
import { extendView, type KnownView } from "../edits/extend-view.ts";
import type { View } from "../edits/view-writer.ts";
import type { Message } from "../messages/message.ts";
import type { EditList } from "./edit-list.ts";
import type { IndexedLog } from "./indexed-log.ts";
import { shownMessage } from "./shown-blocks.ts";

/** A view, and how many messages at its start are the same as in the previous view. */
type ArrangedView = View & { readonly kept?: number };

/** The view of a log with its edits, arranged once for each change. */
export class CurrentView {
  readonly #log: IndexedLog;
  readonly #edits: EditList;
  #target: ArrangeTarget;
  #arranged: KnownView | undefined;
  #shown: { readonly view: View; readonly messages: readonly Message[] } | undefined;
  /** How many messages at the start of the arrangement are the same as in the last view shown. */
  #kept = Infinity;

  constructor(log: IndexedLog, edits: EditList, target: ArrangeTarget) {
    this.#log = log;
    this.#edits = edits;
    this.#target = target;
  }

  get target(): ArrangeTarget {
    return this.#target;
  }

  set target(target: ArrangeTarget) {
    this.#target = target;
    this.forget();
  }

  /** Must be called after every change but an addition at the end of the log. */
  forget(): void {
    this.#arranged = undefined;
  }

  /** Returns the view in the log's form: checkpoints and reminders are blocks of their own. */
  arrange(): View {
    const known = this.#arranged;
    return known?.length === this.#log.length && known.edits === this.#edits.all ? known : this.accept(this.with([]));
  }

  /** Returns the view with these edits added. Throws if they do not fit. */
  with(added: readonly Edit[]): ArrangedView {
    const { messages, index } = this.#log;
    const { all } = this.#edits;
    const known = this.#arranged;
    const extended = known?.edits === all ? extendView(known, messages, index, added, this.#target) : undefined;
    return extended ?? arrange(messages, index, [...all, ...added], this.#target);
  }

  /** Makes a view of `with` the current one: its edits are in force now. */
  accept({ messages, positions, kept = 0 }: ArrangedView): View {
    this.#kept = Math.min(this.#kept, kept);
    this.#arranged = { messages, positions, length: this.#log.length, edits: this.#edits.all };
    return this.#arranged;
  }

  /** Returns the messages of the view in the provider's form. */
  shown(): readonly Message[] {
    const view = this.arrange();
    const before = this.#shown;
    if (before?.view === view) return before.messages;
    // Most messages are the same as in the previous view.
    const messages = before?.messages.slice(0, this.#kept) ?? [];
    for (let number = messages.length; number < view.messages.length; number++) {
      const message = view.messages[number] as Message;
      messages.push(message === before?.view.messages[number] ? (before.messages[number] ?? message) : shownMessage(message));
    }
    this.#shown = { view, messages };
    this.#kept = Infinity;
    return messages;
  }
}
