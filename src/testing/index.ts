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

// Whatever callers give: what cannot be read is named, wherever it makes a function fail.
/** Throws `INVALID_OPTION`, or what the port is refused with. */
export const startProviderDouble: typeof startProviderDoubleUnguarded = /* @__PURE__ */ guarded(startProviderDoubleUnguarded, "options");
/**
 * Says again what a recorded session's assistant said, with the same call ids: the n-th turn is the n-th response. Neighbouring
 * assistant messages are one response. Of a response, thinking comes first and calls last; what provider-run tools did is left out.
 */
export const playTrajectory: typeof playTrajectoryUnguarded = /* @__PURE__ */ guarded(playTrajectoryUnguarded, "messages");
/**
 * A model that reads pages, each with a key, and then opens a vault for every page, in another order. A key is taken only from what
 * the request shows, or recalled; else it is "unknown". So its last answer is the same with and without compaction exactly if the
 * keys stayed visible or could be recalled. One reader serves one conversation: it notes what it has seen done.
 */
export const reader: typeof readerUnguarded = /* @__PURE__ */ guarded(readerUnguarded, "options");
