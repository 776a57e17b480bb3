import type { SeenMessage, SeenRequest } from "../protocol.ts";
import { blocksIn, isCall, isResult, readApiRequest, textOf, type ApiMessage, type Block, type Json } from "./api-request.ts";

export function seeRequest(body: Json, turn: number): SeenRequest {
  const { model, system, tools, messages } = readApiRequest(body, {});
  return {
    protocol: "anthropic",
    model,
    streamed: body["stream"] === true,
    system: textIn(system),
    tools: tools.map((tool) => textOf(tool["name"])),
    messages: messages.map(seeMessage),
    turn,
    body,
  };
}

function seeMessage({ role, blocks }: ApiMessage): SeenMessage {
  return {
    role: role as SeenMessage["role"],
    text: textIn(blocks),
    calls: blocks.filter(isCall).map((block) => ({ id: textOf(block["id"]), name: textOf(block["name"]), input: block["input"] })),
    results: blocks
      .filter(isResult)
      .map((block) => ({ callId: textOf(block["tool_use_id"]), text: textIn(blocksIn(block["content"])), isError: block["is_error"] === true })),
  };
}

function textIn(blocks: readonly Block[]): string {
  return blocks
    .filter(({ type }) => type === "text")
    .map((block) => textOf(block["text"]))
    .join("\n");
}
