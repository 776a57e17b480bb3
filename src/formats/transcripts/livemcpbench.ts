import { isRecord } from "../../errors/is-record.ts";
import { decodeChatRecords, encodeChatRecords } from "./chat-records.ts";
import { decodeTogether } from "./decode-together.ts";
import type { DocumentFormat } from "./transcript-format.ts";

interface Task {
  readonly task_id: string;
  readonly messages: readonly object[];
}

/** Results of LiveMCPBench: an array of tasks, each with its question and the chat that answers it. */
export const livemcpbench: DocumentFormat = {
  name: "livemcpbench",
  title: "LiveMCPBench results",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => Array.isArray(document) && document.length > 0 && document.every(isTask),
  sections: (document) => (document as readonly Task[]).map(({ task_id: id, messages }) => ({ id, records: messages })),
  assemble: (document, records) => (document as readonly Task[]).map((task, number) => ({ ...task, messages: records[number] ?? task.messages })),
  createDecoder: () => decodeTogether((records) => decodeChatRecords(records)),
  encode: encodeChatRecords,
};

function isTask(value: unknown): value is Task {
  return isRecord(value) && typeof value["task_id"] === "string" && "Question" in value && Array.isArray(value["messages"]);
}
