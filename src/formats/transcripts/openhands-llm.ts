import { isRecord } from "../../errors/is-record.ts";
import { decodeDialect, encodeDialect } from "./chat-dialect.ts";
import { decodeChatRecords, encodeChatRecords } from "./chat-records.ts";
import { decodeTogether } from "./decode-together.ts";
import { messageFacts } from "./message-facts.ts";
import { functionText } from "./openhands-function-text.ts";
import type { DocumentFormat } from "./transcript-format.ts";
import { fieldAt } from "./unchecked-fields.ts";

/** One request to a model with its response, as OpenHands logs it. The last one of a run holds the whole history. */
interface Completion {
  readonly messages?: readonly object[];
  /** The same conversation with function calls, if the model was sent them as text. */
  readonly fncall_messages?: readonly object[];
}

/** OpenHands' log of a request. The response is not yet part of the history. */
export const openhandsLlm: DocumentFormat = {
  name: "openhands-llm",
  title: "OpenHands LLM completion",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => isRecord(document) && isRecord(document["response"]) && isRecord(document["kwargs"]) && "args" in document && hasMessages(document),
  sections: (document) => {
    const id = fieldAt(document, "response", "id");
    const tools = fieldAt(document, "kwargs", "tools");
    return [
      {
        id: typeof id === "string" ? id : "completion",
        records: conversationOf(document as Completion),
        ...messageFacts({ model: fieldAt(document, "response", "model") }),
        ...(Array.isArray(tools) ? { tools: tools as readonly unknown[] } : {}),
      },
    ];
  },
  assemble: (document, [records = []]) => {
    const { messages, ...completion } = document as Completion;
    const { fncall_messages: calling } = completion;
    if (calling === undefined) return { ...(document as Completion), messages: records };
    // Hidden content must be removed from the text version too.
    const isUnchanged = records.length === calling.length && records.every((record, position) => record === calling[position]);
    return isUnchanged ? document : { ...completion, fncall_messages: records };
  },
  createDecoder: () => decodeTogether((records) => (callsInText(records) ? decodeDialect(records, functionText) : decodeChatRecords(records))),
  encode: (records, view) => (callsInText(records) ? encodeDialect(records, view, functionText) : encodeChatRecords(records, view)),
};

function hasMessages(document: Completion): boolean {
  return Array.isArray(document.fncall_messages) || Array.isArray(document.messages);
}

function conversationOf({ messages = [], fncall_messages: calling = messages }: Completion): readonly object[] {
  return calling;
}

function callsInText(records: readonly object[]): boolean {
  return !records.some((record) => Array.isArray(fieldAt(record, "tool_calls")) || fieldAt(record, "role") === "tool");
}
