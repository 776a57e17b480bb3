import type { Edit } from "../../edits/edit.ts";
import type { CallRecord } from "../calls/call-record.ts";
import type { CallMetrics } from "./metrics.ts";

export type FrontEndEvent =
  /** Edits were made, by the model's own `compact` or by a policy. */
  | { readonly type: "edited"; readonly thread: string; readonly edits: readonly Edit[] }
  /** A call of the client was answered. */
  | { readonly type: "answered"; readonly thread: string; readonly metrics: CallMetrics }
  /** A call is over, whatever its outcome. */
  | { readonly type: "called"; readonly record: CallRecord }
  /** The provider refused a request as too long; it was shortened, and sent again. */
  | { readonly type: "rescued"; readonly thread: string; readonly edits: readonly Edit[] }
  /**
   * Something failed on our side, or the provider refused messages that we had changed. `sent` is what was sent instead: the view without thinking that
   * is bound to another prefix, the last good view with new messages, the client's messages without thinking, or the client's own request.
   */
  | {
      readonly type: "failed";
      readonly stage: "request" | "answer" | "store";
      readonly error: unknown;
      readonly sent: "view-without-thinking" | "last-view" | "without-thinking" | "as-it-came" | "nothing";
    }
  /** The store is available again, and what it missed is being written. */
  | { readonly type: "store-back" };
