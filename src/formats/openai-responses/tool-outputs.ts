import { isText, type Block, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodePart, encodeContent, joined } from "./content-parts.ts";
import { withoutId } from "./item-kinds.ts";
import { isPart, type ResponseItem } from "./response-item.ts";

type Content = string | readonly Block[];

const EMPTY = "[empty]";

/** The output of a shell command, and how it ended. */
interface ShellChunk {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome?: unknown;
}

/** Types of outputs that the provider requires a call for (C2, C7). */
const MUST_ANSWER: ReadonlySet<string> = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "tool_search_output",
  "local_shell_call_output",
  "shell_call_output",
  "apply_patch_call_output",
  "computer_call_output",
]);

/** An output need not name a call, but if it does, the call must exist. */
export function mustAnswer({ type, call_id: callId }: ResponseItem): boolean {
  return MUST_ANSWER.has(type ?? "") && (typeof callId === "string" || type === "local_shell_call_output");
}

/** Returns the id of the call that the output answers; "" if it names none. */
export function answeredIdOf({ type, id, call_id: callId, approval_request_id: approvalId }: ResponseItem): string {
  if (type === "mcp_approval_response") return approvalId ?? "";
  // Older outputs use the call's id as their own.
  return callId ?? (type === "local_shell_call_output" ? id : undefined) ?? "";
}

export function decodeOutput(item: ResponseItem): ToolResultBlock {
  const id = answeredIdOf(item);
  const content = readOutput(item);
  return decodedFrom([item], content === undefined ? { type: "tool_result", tool_use_id: id } : { type: "tool_result", tool_use_id: id, content });
}

export function encodeOutput(block: ToolResultBlock): ResponseItem {
  const [untouched] = untouchedNatives<ResponseItem>(block) ?? [];
  if (untouched !== undefined) return untouched;
  const content = block.content === undefined || block.content.length === 0 ? EMPTY : block.content;
  const [native = { type: "function_call_output", call_id: block.tool_use_id } satisfies ResponseItem] = nativesOf<ResponseItem>(block) ?? [];
  const written = writeOutput(native, content);
  return written === native ? native : withoutId(written);
}

function readOutput(item: ResponseItem): Content | undefined {
  const { type, output } = item;
  if (typeof output === "string") return output;
  if (type === "shell_call_output") return shellText(output as readonly ShellChunk[]);
  if (Array.isArray(output) && output.every(isPart)) return output.map(decodePart);
  if (type === "apply_patch_call_output") return undefined;
  // A screenshot becomes its own block; an unreadable output stays whole.
  return [(isPart(output) ? output : item) as Block];
}

function writeOutput(item: ResponseItem, content: Content): ResponseItem {
  switch (item.type) {
    case "function_call_output":
    case "custom_tool_call_output":
      return { ...item, output: typeof content === "string" ? content : encodeContent(content, undefined) };
    case "shell_call_output":
      return { ...item, output: [{ stdout: plainText(content), stderr: "", outcome: lastOutcome(item.output) }] };
    case "apply_patch_call_output":
      return { ...item, output: plainText(content) };
    default:
      // For a computer call the provider accepts only a screenshot. In unknown outputs, only text may be replaced by text.
      return typeof item.output === "string" ? { ...item, output: plainText(content) } : item;
  }
}

function shellText(chunks: readonly ShellChunk[]): string {
  return chunks
    .flatMap(({ stdout, stderr }) => [stdout, stderr])
    .filter((text) => text !== "")
    .join("\n");
}

/** Returns the outcome of the last command, which is what the model acts on. */
function lastOutcome(output: unknown): unknown {
  const last: unknown = Array.isArray(output) ? output.at(-1) : undefined;
  return isRecord(last) && last["outcome"] !== undefined ? last["outcome"] : { type: "exit", exit_code: 0 };
}

function plainText(content: Content): string {
  if (typeof content === "string") return content;
  return joined(content.map((block) => (isText(block) ? block : { type: "text", text: `[${block.type}]` })));
}
