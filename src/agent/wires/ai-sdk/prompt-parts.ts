import { fieldsOf, type JsonFields } from "../json-fields.ts";

/** Returns an answer's content as the prompt parts in which the SDK sends it back. Sources, and whatever has no prompt part, are left out. */
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

/** Arguments of calls are JSON text in an answer, and a value in a prompt. Invalid JSON is sent back by the SDK as an empty value. */
function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input ?? {};
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return {};
  }
}

/** Returns the output of a tool that the provider ran. */
function outputOf({ result, isError }: JsonFields): JsonFields {
  if (isError === true) return { type: "error-json", value: result };
  return typeof result === "string" ? { type: "text", value: result } : { type: "json", value: result };
}

/** Returns a message of the codec as it is in a prompt: user and assistant messages have parts. */
export function promptMessage(message: object): object {
  const { role, content } = fieldsOf(message);
  return typeof content === "string" && role !== "system" ? { ...message, content: [{ type: "text", text: content }] } : message;
}
