import type { Block } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";

export type ResultForm = "truncated" | "skeleton" | "stub" | "duplicate" | "summary" | "custom";

/**
 * What is shown instead, and where. At the end of the log, three kinds can leave an assistant message last, so that the view
 * cannot be sent before the user speaks again: `collapse-round`; `replace-range` with the role "assistant" or a blank summary; `replace-block` of
 * a call, whose results go with it. `render(log, edits, { sendable: true })` returns a view that can be sent.
 */
export type Change =
  | { readonly kind: "replace-result"; readonly at: Place; readonly callId: string; readonly form: ResultForm; readonly content: string | readonly Block[] }
  | { readonly kind: "replace-input"; readonly at: Place; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "collapse-round"; readonly call: number; readonly lastResult: number; readonly note: string }
  /** `to` is exclusive. A blank summary deletes the range. */
  | { readonly kind: "replace-range"; readonly from: Place; readonly to: Place; readonly role: "assistant" | "user"; readonly summary: string }
  | { readonly kind: "strip-blocks"; readonly at: readonly Place[] }
  | { readonly kind: "replace-block"; readonly at: Place; readonly text: string };

export type EditKind = Change["kind"];
