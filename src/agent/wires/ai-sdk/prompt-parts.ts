import { fieldsOf, type JsonFields } from "../json-fields.ts";

/** What a model answered with, as the parts of a prompt in which the SDK sends it back. Sources and what has no part there stay out. */
export function promptPartsOf(content: readonly JsonFields[]): readonly JsonFields[] {
  return content.flatMap((part) => {
    const sent = promptPart(part);
    const { providerMetadata: options } = part;
    return sent === undefined ? [] : [(options ?? undefined) === undefined ? sent : { ...sent, providerOptions: options }];
  });
}

function promptPart(part: JsonFields): JsonFields | undefined {
  const { type, text, kind, data, mediaType, toolCallId, toolName, input, providerExecuted } = part;
  switch (type) {
    case "text":
      return text === "" && (part["providerMetadata"] ?? undefined) === undefined ? undefined : { type, text };
    case "reasoning":
      return { type, text };
    case "custom":
      return { type, kind };
    case "file":
    case "reasoning-file":
      return { type, data, mediaType };
    case "tool-call":
      return { type, toolCallId, toolName, input: parseInput(input), ...(providerExecuted === undefined ? {} : { providerExecuted }) };
    case "tool-result":
      return part["preliminary"] === true ? undefined : { type, toolCallId, toolName, output: outputOf(part) };
    default:
      return undefined;
  }
}

/** Calls have their arguments as JSON text in an answer, and as a value in a prompt. What is no JSON the SDK sends back as nothing. */
function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return {};
  }
}

/** Of a tool that the provider ran. */
function outputOf({ result, isError }: JsonFields): JsonFields {
  if (isError === true) return { type: "error-json", value: result };
  return typeof result === "string" ? { type: "text", value: result } : { type: "json", value: result };
}

/** A message of the codec as a prompt has it: with parts in it, where the user or the assistant speaks. */
export function promptMessage(message: object): object {
  const { role, content } = fieldsOf(message);
  return typeof content === "string" && role !== "system" ? { ...message, content: [{ type: "text", text: content }] } : message;
}
