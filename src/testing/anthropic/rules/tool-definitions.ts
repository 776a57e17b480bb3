import { allBlocks, blocksIn, isRecord, isResult, textOf, type ApiRequest, type Json } from "../api-request.ts";
import { SHAPE, type Refusal } from "../refusal.ts";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** A2.8 and A2.15 to A2.18: the rules for `tools` and `tool_choice`. */
export function* toolDefinitionRefusals(request: ApiRequest): Generator<Refusal> {
  const { tools } = request;
  for (const [index, tool] of tools.entries()) yield* definitionRefusals(tool, index);
  const names = tools.map((tool) => tool["name"]).filter((name) => name !== undefined);
  if (new Set(names).size < names.length) yield { rule: "A2.8", message: "tools: Tool names must be unique." };
  if (tools.length > 0 && tools.every((tool) => tool["defer_loading"] === true))
    yield { rule: "A2.16", message: "At least one tool must have defer_loading=false. All tools cannot be deferred" };
  yield* referenceRefusals(request, new Set(names));
  yield* forcedChoice(request);
}

function* definitionRefusals(tool: Json, index: number): Generator<Refusal> {
  const { type = "custom", name, input_schema: schema } = tool;
  if (type === "custom") {
    const path = `tools.${index}.custom`;
    if (name === undefined) yield { rule: SHAPE, message: `${path}.name: Field required` };
    else if (!NAME.test(textOf(name))) yield { rule: "A2.8", message: `${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` };
    if (!isRecord(schema)) yield { rule: SHAPE, message: `${path}.input_schema: Field required` };
  }
  if (tool["defer_loading"] === true && isRecord(tool["cache_control"]))
    yield {
      rule: "A2.16",
      message: `Tool '${textOf(name)}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`,
    };
}

/** A2.15 */
function* referenceRefusals({ messages }: ApiRequest, names: ReadonlySet<unknown>): Generator<Refusal> {
  for (const { block } of allBlocks(messages)) {
    for (const part of isResult(block) ? blocksIn(block["content"]) : []) {
      const name = part["tool_name"];
      if (part.type === "tool_reference" && !names.has(name)) yield { rule: "A2.15", message: `Tool reference '${textOf(name)}' not found in available tools` };
    }
  }
}

/** A2.18, for manual thinking. Which models refuse a forced choice in other modes, a request does not show. */
function* forcedChoice({ body, thinking }: ApiRequest): Generator<Refusal> {
  const choice = isRecord(body["tool_choice"]) ? body["tool_choice"]["type"] : undefined;
  if (thinking === "manual" && (choice === "any" || choice === "tool"))
    yield { rule: "A2.18", message: "Thinking may not be enabled when tool_choice forces tool use." };
}
