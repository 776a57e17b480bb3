import type { Block } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";

export type ResultForm = "truncated" | "skeleton" | "stub" | "duplicate" | "summary" | "custom";

/** What is shown instead, and where. */
export type Change =
  | { readonly kind: "replace-result"; readonly at: Place; readonly callId: string; readonly form: ResultForm; readonly content: string | readonly Block[] }
  | { readonly kind: "replace-input"; readonly at: Place; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "collapse-round"; readonly call: number; readonly lastResult: number; readonly note: string }
  /** `to` is exclusive. A blank summary deletes the range. */
  | { readonly kind: "replace-range"; readonly from: Place; readonly to: Place; readonly role: "assistant" | "user"; readonly summary: string }
  | { readonly kind: "strip-blocks"; readonly at: readonly Place[] }
  | { readonly kind: "replace-block"; readonly at: Place; readonly text: string };

export type EditKind = Change["kind"];
