import { isRecord } from "../../errors/is-record.ts";
import { aiSdk } from "../ai-sdk/ai-sdk.ts";
import { anthropic } from "../anthropic/anthropic.ts";
import { formatEvidence } from "../detect-format.ts";
import { openaiChat } from "../openai-chat/openai-chat.ts";
import { isReasoning } from "../openai-responses/item-kinds.ts";
import { openaiResponses } from "../openai-responses/openai-responses.ts";
import { decodeMessages, encodeMessages, type MessageCodec } from "./codec-records.ts";
import { decodeTogether } from "./decode-together.ts";
import { messageFacts } from "./message-facts.ts";
import { joinTexts, readBlocks } from "./record-content.ts";
import type { DocumentFormat, Section } from "./transcript-format.ts";

/** The fields of a request body that hold the messages and the system prompt. */
interface BodyFields {
  readonly messages: "messages" | "input";
  readonly system: string;
}

/** Message arrays and request bodies: one per file, or one per line. */
export const anthropicMessages: DocumentFormat = messageDocument(anthropic, "Anthropic messages or request", { messages: "messages", system: "system" });
export const chatMessages: DocumentFormat = messageDocument(openaiChat, "OpenAI chat messages or request", { messages: "messages", system: "system" });
export const aiSdkMessages: DocumentFormat = messageDocument(aiSdk, "AI SDK messages", { messages: "messages", system: "system" });
export const responseItems: DocumentFormat = messageDocument(
  openaiResponses,
  "OpenAI Responses items or request",
  { messages: "input", system: "instructions" },
  // Reasoning is part of the response, not a message of its own.
  (item) => !isReasoning(item),
);

function messageDocument<Native extends object>(
  codec: MessageCodec<Native>,
  title: string,
  fields: BodyFields,
  isMessage?: (record: Native) => boolean,
): DocumentFormat {
  return {
    name: codec.name,
    title,
    wire: codec.name,
    layout: "document",
    detect: (document) => formatEvidence(document)?.certain === codec.name,
    fits: (document) => formatEvidence(document)?.possible.includes(codec.name) === true,
    sections: (document) => [isRecord(document) ? bodySection(document, fields) : { id: "messages", records: document as readonly object[] }],
    assemble: (document, [records]) => (isRecord(document) ? { ...document, [fields.messages]: records } : records),
    // `decode` refuses anything that is not a message, with its path.
    createDecoder: () => decodeTogether((records) => decodeMessages(codec, records as readonly Native[], isMessage)),
    encode: (records, view) => encodeMessages(codec, records, view),
  };
}

function bodySection(body: Readonly<Record<string, unknown>>, fields: BodyFields): Section {
  const { id, model, tools, [fields.messages]: messages, [fields.system]: system } = body;
  const said = joinTexts(readBlocks(system));
  return {
    id: typeof id === "string" ? id : "request",
    // `input` may be a single string.
    records: typeof messages === "string" ? [{ role: "user", content: messages }] : (messages as readonly object[]),
    ...messageFacts({ model }),
    ...(said === "" ? {} : { system: said }),
    ...(Array.isArray(tools) ? { tools } : {}),
  };
}
