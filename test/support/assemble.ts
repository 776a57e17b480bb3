import type { Block, Message } from "../../src/messages/message.ts";
import { block, text } from "./build.ts";
import { splitTurn } from "./split-turn.ts";
import type { AssistantPlan, CallPlan, ExchangePlan, RoundPlan, SystemPlan, UserPlan } from "./plans.ts";
import { checkpointId, idFor, type IdStyle } from "./ids.ts";

export type CheckpointMode = "none" | "text" | "block" | "mixed";

export interface TranscriptPlan {
  readonly exchanges: readonly ExchangePlan[];
  readonly closing: Closing;
  readonly ids: IdStyle;
  readonly checkpoints: CheckpointMode;
  /** Begin with a compaction block that the provider signed (A5), in an assistant message of its own. */
  readonly compacted: boolean;
}

/**
 * How the transcript ends: with a user's words, with the results of the last round or, where it had none, the last user
 * turn, with a system message after either, with a round whose last `open` calls are not answered yet, or with an answer.
 */
export type Closing =
  | { readonly kind: "user"; readonly user: UserPlan }
  | { readonly kind: "results" }
  | { readonly kind: "system"; readonly system: SystemPlan }
  | { readonly kind: "pending"; readonly round: RoundPlan; readonly open: number }
  | { readonly kind: "answer"; readonly answer: AssistantPlan };

/** A provider-run tool whose result has not come yet (A3.2). */
interface OpenServerTool {
  readonly id: string;
  readonly kind: "search" | "program";
}

export function assemble(plan: TranscriptPlan): Message[] {
  const assembler = new Assembler(plan.ids, plan.checkpoints);
  if (plan.compacted) assembler.compaction();
  const lastExchange = plan.exchanges.at(-1);
  for (const exchange of plan.exchanges) {
    assembler.user(exchange.user);
    for (const round of exchange.rounds) assembler.round(round, 0);
    const answered = exchange !== lastExchange || plan.closing.kind === "user";
    if (answered && exchange.answer !== null) assembler.answer(exchange.answer);
  }
  assembler.close(plan.closing);
  return assembler.messages;
}

class Assembler {
  readonly messages: Message[] = [];
  readonly #ids: IdStyle;
  readonly #checkpoints: CheckpointMode;
  #calls = 0;
  #servers = 0;
  #signatures = 0;
  #checkpointCount = 0;
  #open: OpenServerTool | null = null;

  constructor(ids: IdStyle, checkpoints: CheckpointMode) {
    this.#ids = ids;
    this.#checkpoints = checkpoints;
  }

  compaction(): void {
    this.messages.push({ role: "assistant", content: [block("compaction", { content: "Summary.", signature: "sig_compaction" })] });
  }

  user(plan: UserPlan): void {
    this.#settleServerTool();
    if (this.messages.at(-1)?.role === "system") this.#dropTrailingSystem(); // A1.10: an assistant message follows it
    this.#pushUserTurn(plan.messages, plan.asString);
    if (plan.system !== null) this.#system(plan.system);
  }

  answer(plan: AssistantPlan): void {
    const settled = this.#takeServerResult();
    const server = plan.server === "pending" || plan.server === "program" ? "search" : plan.server;
    const tools = this.#serverBlocks(server);
    const again = tools.length > 0 && plan.thinking.length > 0 && settled.length === 0 ? this.#signed(plan.interleaved) : [];
    this.#pushAssistantTurn(plan, [...settled, ...this.#head(plan, settled), ...tools, ...again, ...plan.blocks], true);
  }

  /** The last `open` calls stay without a result. */
  round(plan: RoundPlan, open: number): void {
    const goesOn = this.#open?.kind === "program" && plan.server === "program";
    const settled = goesOn ? [] : this.#takeServerResult();
    const head = goesOn ? [] : this.#head(plan, settled);
    const started = goesOn ? [] : this.#serverBlocks(plan.server);
    const caller = this.#open?.kind === "program" ? this.#open.id : null;
    const calls = plan.calls.map((call) => this.#call(call, caller));
    this.#pushAssistantTurn(plan, [...settled, ...head, ...(goesOn ? [] : plan.blocks), ...started, ...calls, ...plan.textBehindCalls], false);
    this.#results(plan, calls, open);
  }

  close(closing: Closing): void {
    switch (closing.kind) {
      case "user":
        this.user(closing.user);
        this.#dropTrailingSystem();
        return;
      case "results":
        this.#dropTrailingSystem();
        return;
      case "system":
        this.#dropTrailingSystem();
        // After a pending server tool come results only (A3.2).
        if (this.#open === null) this.#system(closing.system);
        return;
      case "pending":
        this.round(closing.round, Math.max(1, Math.min(closing.open, closing.round.calls.length)));
        return;
      case "answer":
        this.answer(closing.answer);
    }
  }

  #dropTrailingSystem(): void {
    this.messages.splice(this.messages.findLastIndex((message) => message.role === "user") + 1);
  }

  /** Thinking comes first in its message (A4.4): after a late server result there can be none. */
  #head(plan: AssistantPlan, settled: readonly Block[]): Block[] {
    return settled.length > 0 ? [] : this.#signed(plan.thinking);
  }

  #signed(thinking: readonly Block[]): Block[] {
    return thinking.map((unsigned) => {
      this.#signatures += 1;
      const mark = `sig${String(this.#signatures)}+/=`;
      return { ...unsigned, ...(unsigned.type === "thinking" ? { signature: mark } : { data: mark }) };
    });
  }

  #serverBlocks(kind: AssistantPlan["server"]): Block[] {
    if (kind === "none") return [];
    this.#servers += 1;
    const id = kind === "mcp" ? `mcptoolu_${String(this.#servers)}` : `srvtoolu_${String(this.#servers)}`;
    if (kind === "mcp") {
      const use = block("mcp_tool_use", { id, name: "echo", server_name: "demo", input: { a: 1 } });
      return [use, block("mcp_tool_result", { tool_use_id: id, is_error: false, content: [{ type: "text", text: "echoed" }] })];
    }
    const name = kind === "program" ? "code_execution" : "web_search";
    const use = block("server_tool_use", { id, name, input: kind === "program" ? { code: "await bash()" } : { query: "q" } });
    const tool: OpenServerTool = { id, kind: kind === "program" ? "program" : "search" };
    if (kind === "search") return [use, serverResult(tool)];
    this.#open = tool;
    return [use];
  }

  #takeServerResult(): Block[] {
    const open = this.#open;
    this.#open = null;
    return open === null ? [] : [serverResult(open)];
  }

  /** A user's words may not come while a provider-run tool is pending (A3.2): the model speaks first. */
  #settleServerTool(): void {
    const settled = this.#takeServerResult();
    if (settled.length > 0) this.messages.push({ role: "assistant", content: settled });
  }

  #call(plan: CallPlan, caller: string | null): Block {
    this.#calls += 1;
    const from = caller === null ? {} : { caller: { type: "code_execution_20250825", tool_id: caller } };
    return block("tool_use", { id: idFor(this.#ids, this.#calls), name: plan.name, input: plan.input, ...from });
  }

  #pushAssistantTurn(plan: AssistantPlan, blocks: readonly Block[], mayHoldSystem: boolean): void {
    const pieces = splitTurn(blocks, plan.split);
    pieces.forEach((piece, index) => {
      this.messages.push({ role: "assistant", content: contentOf(piece, plan.asString) });
      const endsInServerResult = piece.at(-1)?.type.endsWith("_tool_result") === true;
      if (mayHoldSystem && plan.systemInside && endsInServerResult && index < pieces.length - 1) {
        this.messages.push({ role: "system", content: "Searches are limited now." });
      }
    });
  }

  #results(plan: RoundPlan, calls: readonly Block[], open: number): void {
    const answered = calls.map((call, index) => resultBlock(call, plan.calls[index]?.result ?? {}));
    const results = ordered(answered.slice(0, answered.length - open), plan.order);
    if (results.length === 0) return;
    const messages: Block[][] = [[]];
    results.forEach((entry, index) => {
      messages.at(-1)?.push(entry);
      if (plan.spread[index] === true && index < results.length - 1) messages.push([]);
    });
    // Beside a pending server tool, and while results are missing, the user turn holds results only (A3.2, A2.3).
    const resultsOnly = this.#open !== null || open > 0;
    if (!resultsOnly && plan.beside.length > 0) {
      if (plan.besideOwnMessage) messages.push([...plan.beside]);
      else messages.at(-1)?.push(...plan.beside);
    }
    this.#pushUserTurn(messages, false, resultsOnly);
    if (plan.system !== null && !resultsOnly) this.#system(plan.system);
  }

  /** A checkpoint is the last block of a user message, but never before a result of the same turn (A2.3). */
  #pushUserTurn(messages: readonly (readonly Block[])[], asString: boolean, resultsOnly = false): void {
    const lastResult = messages.findLastIndex((blocks) => blocks.some((entry) => entry.type === "tool_result"));
    messages.forEach((blocks, index) => {
      const mark = resultsOnly || index < lastResult ? [] : this.#checkpoint();
      this.messages.push({ role: "user", content: contentOf([...blocks, ...mark], asString) });
    });
  }

  #checkpoint(): Block[] {
    if (this.#checkpoints === "none") return [];
    this.#checkpointCount += 1;
    const id = checkpointId(this.#checkpointCount);
    const turn = this.#checkpoints === "mixed" ? (["text", "block", "none"] as const)[this.#checkpointCount % 3] : this.#checkpoints;
    if (turn === "none") return [];
    return [turn === "block" ? block("checkpoint", { id }) : text(`<checkpoint:${id}>`)];
  }

  #system(plan: SystemPlan): void {
    const content = plan.asString ? plan.texts.join("\n") : plan.texts.map((words) => text(words));
    const message = { role: "system" as const, content, ...(plan.clears ? { clear_at: "next_user_message" } : {}) };
    for (let i = 0; i < plan.messages; i += 1) this.messages.push(message);
  }
}

function serverResult(tool: OpenServerTool): Block {
  if (tool.kind === "program") {
    return block("code_execution_tool_result", { tool_use_id: tool.id, content: { type: "code_execution_result", stdout: "1", stderr: "", return_code: 0 } });
  }
  return block("web_search_tool_result", {
    tool_use_id: tool.id,
    content: [{ type: "web_search_result", url: "https://e.org", title: "t", encrypted_content: "EqgfCioIARgB" }],
  });
}

function resultBlock(call: Block, plan: CallPlan["result"]): Block {
  const id: unknown = "id" in call ? call.id : "";
  return block("tool_result", { tool_use_id: id, ...plan });
}

function ordered(results: readonly Block[], order: RoundPlan["order"]): readonly Block[] {
  if (order === "reversed") return results.toReversed();
  return order === "rotated" ? [...results.slice(1), ...results.slice(0, 1)] : results;
}

/** One text block may be written as a string. */
function contentOf(blocks: readonly Block[], asString: boolean): string | readonly Block[] {
  const only = blocks[0];
  const isString = asString && blocks.length === 1 && only !== undefined && only.type === "text" && "text" in only;
  return isString && typeof only.text === "string" ? only.text : blocks;
}
