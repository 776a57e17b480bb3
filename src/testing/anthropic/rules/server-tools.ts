import {
  isCall,
  isRecord,
  isResult,
  isServerCall,
  isServerResult,
  pathOf,
  textOf,
  type ApiRequest,
  type Block,
  type Placed,
  type Turn,
} from "../api-request.ts";
import type { Refusal } from "../refusal.ts";

/**
 * A3: a provider-run call comes before its result, both in assistant turns of one tool loop. It may lack a result only while it is
 * pending: beside client calls whose results alone make up the next turn, or at the end of the request.
 */
export function* serverToolRefusals({ turns, tools }: ApiRequest): Generator<Refusal> {
  const names = new Set(tools.map((tool) => tool["name"]));
  let open: Placed[] = [];
  let programs = new Set<string>();
  for (const [number, turn] of turns.entries()) {
    const isLast = number === turns.length - 1;
    if (turn.role === "assistant") {
      for (const placed of turn.blocks) {
        const { block } = placed;
        if (isServerCall(block)) {
          open.push(placed);
          programs.add(textOf(block["id"]));
        }
        if (isServerResult(block)) {
          const at = open.findIndex((call) => call.block["id"] === block["tool_use_id"]);
          if (at === -1) yield withoutCall(placed);
          open = open.filter((_, index) => index !== at);
        }
        if (isCall(block)) yield* withoutProgram(placed, programs);
      }
      if (!isLast && !turn.blocks.some(({ block }) => isCall(block))) yield* open.map((call) => withoutResult(call));
    } else {
      for (const placed of turn.blocks) if (isServerCall(placed.block) || isServerResult(placed.block)) yield withoutCall(placed);
      if (holdsResultsOnly(turn)) continue;
      yield* open.map((call) => withoutResult(call));
      open = [];
      programs = new Set();
    }
  }
  yield* open.filter(({ block }) => block.type === "server_tool_use" && !names.has(block["name"])).map((call) => withoutTool(call));
}

function holdsResultsOnly({ blocks }: Turn): boolean {
  return blocks.length > 0 && blocks.every(({ block }) => isResult(block));
}

/** A3.1 */
function withoutCall(placed: Placed): Refusal {
  const { type } = placed.block;
  if (isServerCall(placed.block)) return { rule: "A3.1", message: `${pathOf(placed)}: \`${type}\` blocks can only be in \`assistant\` messages` };
  const id = textOf(placed.block["tool_use_id"]);
  return {
    rule: "A3.1",
    message: `${pathOf(placed)}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. Each \`${type}\` block must have a corresponding \`${callTypeOf(type)}\` block before it.`,
  };
}

function callTypeOf(resultType: string): string {
  return resultType === "mcp_tool_result" ? "mcp_tool_use" : "server_tool_use";
}

/** A3.2 */
function withoutResult({ block }: Placed): Refusal {
  return { rule: "A3.2", message: missingResult(block) };
}

/** A3.2: a pending call is run again, so its tool must be defined. */
function withoutTool({ block }: Placed): Refusal {
  return { rule: "A3.2", message: `${missingResult(block)}, but no \`${nameOf(block)}\` tool was provided` };
}

function missingResult(block: Block): string {
  const name = nameOf(block);
  return `\`${name}\` tool use with id \`${textOf(block["id"])}\` was found without a corresponding \`${name}_tool_result\` block`;
}

function nameOf(block: Block): string {
  return block.type === "mcp_tool_use" ? "mcp" : textOf(block["name"]);
}

/** A3.3; the table has no error text for it. */
function* withoutProgram(placed: Placed, programs: ReadonlySet<string>): Generator<Refusal> {
  const { caller } = placed.block;
  const program = isRecord(caller) ? caller["tool_id"] : undefined;
  if (typeof program === "string" && !programs.has(program))
    yield { rule: "A3.3", message: `${pathOf(placed)}: \`caller.tool_id\` ${program} has no corresponding \`server_tool_use\` block before it` };
}
