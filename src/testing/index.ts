import { guarded } from "../errors/guarded.ts";
export type { ProviderDoubleOptions, ProviderRules } from "./double-options.ts";
export type { Fault, InputCounts, ProtocolName, Script, ScriptedCall, SeenMessage, SeenRequest, Turn } from "./protocol.ts";
import { startProviderDouble as startProviderDoubleUnguarded } from "./provider-double.ts";
export type { ProviderDouble } from "./provider-double.ts";
export type { RecordedRequest } from "./recorded-request.ts";
import { playTrajectory as playTrajectoryUnguarded } from "./scripts/play-trajectory.ts";
export type { RecordedMessage } from "./scripts/play-trajectory.ts";
export { readerKey, readerPage } from "./scripts/reader-page.ts";
import { reader as readerUnguarded } from "./scripts/reader.ts";
export type { ReaderOptions } from "./scripts/reader.ts";

// Guarded: an unreadable argument is named in the error, wherever the function fails.
/** Throws `INVALID_OPTION`, or the system's error for the port. */
export const startProviderDouble: typeof startProviderDoubleUnguarded = /* @__PURE__ */ guarded(startProviderDoubleUnguarded, "options");
/**
 * Replays the assistant of a recorded session, with the same call ids: the n-th turn is the n-th response. Neighbouring assistant
 * messages are one response. In a response, thinking comes first and calls last; provider-run calls and results are left out.
 */
export const playTrajectory: typeof playTrajectoryUnguarded = /* @__PURE__ */ guarded(playTrajectoryUnguarded, "messages");
/**
 * A model that reads pages, each with a key, and then opens a vault for every page, in another order. It takes a key only from the
 * request or from a recall; otherwise the key is "unknown". So its last answer is the same with and without compaction only if the
 * keys stayed visible or could be recalled. A reader serves one conversation, because it notes which calls were done.
 */
export const reader: typeof readerUnguarded = /* @__PURE__ */ guarded(readerUnguarded, "options");
