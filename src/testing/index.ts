export type { ProviderDoubleOptions, ProviderRules } from "./double-options.ts";
export type { Fault, InputCounts, ProtocolName, Script, ScriptedCall, SeenMessage, SeenRequest, Turn } from "./protocol.ts";
export { startProviderDouble, type ProviderDouble } from "./provider-double.ts";
export type { RecordedRequest } from "./recorded-request.ts";
export { playTrajectory, type RecordedMessage } from "./scripts/play-trajectory.ts";
export { readerKey, readerPage } from "./scripts/reader-page.ts";
export { reader, type ReaderOptions } from "./scripts/reader.ts";
