import { allBlocks, blocksIn, isRecord, isResult, pathOf, textOf, type ApiRequest, type Block } from "../api-request.ts";
import { isBlank, type Refusal } from "../refusal.ts";

/** A2.7 to A2.13 and A1.12: the rules for single blocks. */
export function* blockRefusals({ messages }: ApiRequest): Generator<Refusal> {
  for (const placed of allBlocks(messages)) {
    const path = pathOf(placed);
    yield* extraFields(placed.block, path);
    if (placed.block.type === "tool_use") yield* callRefusals(placed.block, `${path}.tool_use`);
    if (isResult(placed.block)) yield* resultRefusals(placed.block, `${path}.tool_result`);
  }
}

/** Fields of the blocks that clients write or send back. Other blocks may have any fields. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ["text", "cache_control", "citations"],
  image: ["source", "cache_control", "transformations"],
  document: ["source", "cache_control", "citations", "context", "title"],
  search_result: ["content", "source", "title", "cache_control", "citations"],
  tool_use: ["id", "input", "name", "cache_control", "caller", "toolset_name"],
  tool_result: ["tool_use_id", "cache_control", "content", "is_error", "toolset_name"],
  thinking: ["signature", "thinking"],
  redacted_thinking: ["data"],
  compaction: ["cache_control", "content", "encrypted_content", "signature", "tool_changes"],
};

/** A1.12; on thinking, cache_control is such a field (A6). */
function* extraFields(block: Block, path: string): Generator<Refusal> {
  const known = Object.hasOwn(FIELDS, block.type) ? FIELDS[block.type] : undefined;
  if (known === undefined) return;
  for (const name of Object.keys(block)) {
    if (name === "type" || known.includes(name)) continue;
    const rule = name === "cache_control" ? "A6" : "A1.12";
    yield { rule, message: `${path}.${block.type}.${name}: Extra inputs are not permitted` };
  }
}

const ID = /^[a-zA-Z0-9_-]+$/;

function* idRefusals(id: unknown, path: string): Generator<Refusal> {
  if (id === undefined) yield { rule: "A2.7", message: `${path}: Field required` };
  else if (typeof id !== "string" || !ID.test(id)) yield { rule: "A2.7", message: `${path}: String should match pattern '^[a-zA-Z0-9_-]+$'` };
}

const LONGEST_NAME = 200;

function* callRefusals({ id, name, input }: Block, path: string): Generator<Refusal> {
  yield* idRefusals(id, `${path}.id`);
  if (textOf(name) === "") yield { rule: "A2.8", message: `${path}.name: String should have at least 1 character` };
  if (textOf(name).length > LONGEST_NAME) yield { rule: "A2.8", message: `${path}.name: String should have at most ${LONGEST_NAME} characters` };
  if (!isRecord(input)) yield { rule: "A2.9", message: `${path}.input: Input should be a valid dictionary` };
}

const RESULT_PARTS: readonly string[] = ["text", "image", "document", "search_result", "tool_reference", "browser_state"];

function* resultRefusals(block: Block, path: string): Generator<Refusal> {
  yield* idRefusals(block["tool_use_id"], `${path}.tool_use_id`);
  const content = block["content"] ?? "";
  if (typeof content !== "string" && !Array.isArray(content)) yield { rule: "A2.10", message: `${path}.content: Input should be a valid array` };
  const parts: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : blocksIn(content);
  for (const [index, part] of parts.entries()) {
    if (RESULT_PARTS.includes(part.type)) yield* extraFields(part, `${path}.content.${index}`);
    else
      yield {
        rule: "A2.10",
        message: `${path}.content.${index}: Input tag '${part.type}' found using 'type' does not match any of the expected tags: ${RESULT_PARTS.map((type) => `'${type}'`).join(", ")}`,
      };
  }
  if (block["is_error"] !== true) return;
  if (parts.every((part) => part.type === "text" && isBlank(textOf(part["text"]))))
    yield { rule: "A2.12", message: `${path}: content cannot be empty if \`is_error\` is true` };
  if (parts.some((part) => part.type !== "text")) yield { rule: "A2.13", message: `${path}: all content must be type \`text\` if \`is_error\` is true` };
}
