import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { isRecord } from "../errors/is-record.ts";
import type { FormatName } from "./codec.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Features that only one format has, in a message or in a part of its content. */
interface Features {
  readonly format: FormatName;
  /** Fields of a message; null counts as absent. */
  readonly fields: readonly string[];
  readonly isMessage?: (message: Fields) => boolean;
  /** Types of parts. */
  readonly parts: ReadonlySet<unknown>;
  readonly isPart?: (part: Fields) => boolean;
}

/** Plain text looks the same in all formats. */
const FEATURES: readonly Features[] = [
  {
    format: "anthropic",
    fields: [],
    parts: new Set(["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use", "document", "search_result", "checkpoint"]),
    isPart: ({ type, source }) => (type === "image" && isRecord(source)) || (typeof type === "string" && type.endsWith("_tool_result")),
  },
  {
    format: "openai-chat",
    fields: ["tool_calls", "function_call", "tool_call_id", "reasoning_content"],
    isMessage: ({ role }) => role === "function",
    parts: new Set(["image_url", "input_audio"]),
    isPart: ({ type, file }) => type === "file" && isRecord(file),
  },
  {
    format: "openai-responses",
    fields: [],
    // Anthropic's responses have the type "message" too, but their content is never a string.
    isMessage: ({ type, content }) => typeof type === "string" && !(type === "message" && Array.isArray(content)),
    parts: new Set(["input_text", "output_text", "input_image", "input_file"]),
  },
  {
    format: "ai-sdk",
    fields: ["providerOptions"],
    parts: new Set(["tool-call", "tool-result", "reasoning", "tool-approval-request", "tool-approval-response"]),
    isPart: (part) => (part["type"] === "image" && "image" in part) || (part["type"] === "file" && "mediaType" in part) || "providerOptions" in part,
  },
];

/** The messages found in a value, and the formats that keep messages in that place. */
interface Found {
  readonly messages: readonly Fields[];
  /** "messages" or "input". */
  readonly path: string;
  readonly formats: readonly FormatName[];
}

const ALL: readonly FormatName[] = ["anthropic", "openai-chat", "openai-responses", "ai-sdk"];
const OF_MESSAGES: readonly FormatName[] = ["anthropic", "openai-chat", "ai-sdk"];

/** The formats that a message array or request body may have. */
export interface FormatEvidence {
  /** The possible formats, most likely first. */
  readonly possible: readonly FormatName[];
  /** The format that the value shows a feature of. Undefined: it reads the same in every possible format. */
  readonly certain: FormatName | undefined;
}

/** Returns the format of a message array or a request body; undefined if it is neither. Throws `FORMAT_MISMATCH` for a mixture. */
export function detectFormat(value: unknown): FormatName | undefined {
  const evidence = formatEvidence(value);
  return evidence?.certain ?? evidence?.possible[0];
}

/** Throws `FORMAT_MISMATCH` for a mixture. */
export function formatEvidence(value: unknown): FormatEvidence | undefined {
  const found = messagesIn(value);
  if (found === undefined) return undefined;
  const feature = onlyFeature(found);
  if (feature !== undefined) return { possible: [feature], certain: feature };
  if (found.formats.length === 1) return { possible: found.formats, certain: found.formats[0] };
  return { possible: found.formats, certain: formatOfBody(value) ?? (opensWithSystem(found.messages) ? "openai-chat" : undefined) };
}

function messagesIn(value: unknown): Found | undefined {
  if (Array.isArray(value)) return areMessages(value) ? { messages: value, path: "messages", formats: ALL } : undefined;
  if (!isRecord(value)) return undefined;
  const { messages, input } = value;
  if (Array.isArray(messages)) return areMessages(messages) ? { messages, path: "messages", formats: OF_MESSAGES } : undefined;
  // A body that names a model: `input` alone may be anything.
  if (typeof input === "string" && typeof value["model"] === "string") return { messages: [], path: "input", formats: ["openai-responses"] };
  return Array.isArray(input) && areMessages(input) ? { messages: input, path: "input", formats: ["openai-responses"] } : undefined;
}

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer", "tool", "function"]);

/** Says whether each item is a message or an item of the Responses API. */
function areMessages(list: readonly unknown[]): list is readonly Fields[] {
  // A copy has no holes, which `every` would leave out.
  return Array.from(list).every((item) => isRecord(item) && ("role" in item ? ROLES.has(item["role"]) : isItem(item)));
}

const ITEM_TYPE = /^(?:reasoning|item_reference|compaction|program|mcp_list_tools|[a-z_]+_(?:call|output|call_output|request|response))$/;

function isItem({ type }: Fields): boolean {
  return typeof type === "string" && ITEM_TYPE.test(type);
}

/** Returns the one format that the messages have features of. */
function onlyFeature({ messages, path }: Found): FormatName | undefined {
  let first: { readonly format: FormatName; readonly place: string } | undefined;
  for (const [position, message] of messages.entries()) {
    for (const found of featuresOf(message, `${path}.${position}`)) {
      first ??= found;
      if (found.format !== first.format) throw mixture(first, found);
    }
  }
  return first?.format;
}

function* featuresOf(message: Fields, path: string): Generator<{ readonly format: FormatName; readonly place: string }> {
  const { content } = message;
  for (const { format, fields, isMessage, parts, isPart } of FEATURES) {
    const field = fields.find((name) => message[name] !== undefined && message[name] !== null);
    if (field !== undefined) yield { format, place: `${path}.${field}` };
    else if (isMessage?.(message) === true) yield { format, place: path };
    if (!Array.isArray(content)) continue;
    const part = content.findIndex((value) => isRecord(value) && (parts.has(value["type"]) || isPart?.(value) === true));
    if (part !== -1) yield { format, place: `${path}.content.${part}` };
  }
}

function mixture(
  first: { readonly format: FormatName; readonly place: string },
  second: { readonly format: FormatName; readonly place: string },
): PalimpsestError {
  return new PalimpsestError("FORMAT_MISMATCH", `Two formats are mixed: ${first.place} is ${first.format}, ${second.place} is ${second.format}.`, {
    expected: first.format,
    expectedAt: first.place,
    found: second.format,
    place: second.place,
  });
}

/** Returns the format that the other fields of a request body point to. */
function formatOfBody(value: unknown): FormatName | undefined {
  if (!isRecord(value)) return undefined;
  const { tools } = value;
  const tool: unknown = Array.isArray(tools) ? tools[0] : undefined;
  if (isRecord(tool) && "input_schema" in tool) return "anthropic";
  if (isRecord(tool) && isRecord(tool["function"])) return "openai-chat";
  return "system" in value || "anthropic_version" in value || "stop_sequences" in value ? "anthropic" : undefined;
}

/** Anthropic's first message is the user's (A1.2); its system prompt is outside the messages. */
function opensWithSystem([first]: readonly Fields[]): boolean {
  return first?.["role"] === "system" || first?.["role"] === "developer";
}
