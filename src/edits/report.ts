import type { Message } from "../messages/message.ts";
import { messageTokens } from "../tokens/message-tokens.ts";
import type { Edit } from "./edit.ts";
import { isSpanEdit } from "./edit-places.ts";
import { parseAndArrange, type RenderTarget } from "./render.ts";

export interface PositionReport {
  readonly position: number;
  /** `shown`: as in the log. `replaced`: with other blocks. `swallowed`: inside a range or a collapsed round. `dropped`: left without blocks. */
  readonly state: "shown" | "replaced" | "swallowed" | "dropped";
  /** The edit that changed it. */
  readonly editId?: string;
}

export interface ViewReport {
  readonly positions: readonly PositionReport[];
  /** The first position that is not shown as it is in the log. Everything before it is still in the prompt cache. */
  readonly firstChanged: number | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Returns what became of every message of the log, and what the view saves. */
export function report(log: readonly Message[], edits: readonly Edit[], target: RenderTarget = {}): ViewReport {
  const view = parseAndArrange(log, edits, target);
  const shown = new Map(view.positions.map((position, number) => [position, view.messages[number]]));
  const positions = log.map((message, position): PositionReport => {
    const seen = shown.get(position);
    if (seen === message) return { position, state: "shown" };
    const edit = view.editAt(position);
    const state = seen !== undefined ? "replaced" : edit === undefined || isSpanEdit(edit) ? "swallowed" : "dropped";
    // Only edits were given, so it has an id.
    return edit !== undefined && "id" in edit && typeof edit.id === "string" ? { position, state, editId: edit.id } : { position, state };
  });
  const firstChanged = positions.find((entry) => entry.state !== "shown")?.position ?? null;
  return { positions, firstChanged, tokensBefore: sumTokens(log), tokensAfter: sumTokens(view.messages) };
}

function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
