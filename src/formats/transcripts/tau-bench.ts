import { isRecord } from "../../errors/is-record.ts";
import { decodeChatRecords, encodeChatRecords } from "./chat-records.ts";
import { decodeTogether } from "./decode-together.ts";
import type { DocumentFormat } from "./transcript-format.ts";

interface Run {
  readonly task_id: number | string;
  readonly trial?: number;
  readonly traj: readonly object[];
}

/** Results of tau-bench: an array of runs, the chat of each under `traj`. Ids of calls repeat within a run. */
export const tauBench: DocumentFormat = {
  name: "tau-bench",
  title: "tau-bench results",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => Array.isArray(document) && document.length > 0 && document.every(isRun),
  sections: (document) => (document as readonly Run[]).map(({ task_id: task, trial = 0, traj }) => ({ id: `${task}/${trial}`, records: traj })),
  assemble: (document, records) => (document as readonly Run[]).map((run, number) => ({ ...run, traj: records[number] ?? run.traj })),
  createDecoder: () => decodeTogether((records) => decodeChatRecords(records)),
  encode: encodeChatRecords,
};

function isRun(value: unknown): value is Run {
  return isRecord(value) && "task_id" in value && Array.isArray(value["traj"]);
}
