import { openaiResponses } from "../../../src/formats/openai-responses/openai-responses.ts";
import type { ItemPart, ResponseItem } from "../../../src/formats/openai-responses/response-item.ts";
import { isText, isThinking, isToolResult, isToolUse, resultText, type Block, type ToolResultBlock, type ToolUseBlock } from "../../../src/messages/message.ts";
import type { NativeFormat } from "./native-format.ts";
import { turnsToWrite, type TurnToWrite } from "./turns-to-write.ts";

export const responsesFormat: NativeFormat<ResponseItem, ResponseItem> = {
  codec: openaiResponses,
  write: (messages, style) => new Writer(style).write(turnsToWrite(messages)),
  faults: responsesFaults,
  resultsOf: (items) => items.filter(isOutput),
  resultLength: outputLength,
};

type CallKind = "function" | "custom" | "shell" | "local_shell" | "apply_patch";

/** How the calls are written; `interleaved`: each output right after its call, as where tools answer while the model still calls. */
const CALLS = ["function", "custom", "shell", "interleaved", "any"] as const;
/** `stored`: every item has an id, reasoning too; `encrypted`: reasoning has its content and nothing has an id. */
const KEEPING = ["plain", "stored", "encrypted"] as const;

class Writer {
  readonly #asEasy: boolean;
  readonly #keeping: (typeof KEEPING)[number];
  readonly #calls: (typeof CALLS)[number];
  readonly #items: ResponseItem[] = [];
  #reasonings = 0;
  /** The number of the reasoning that produces what is written now, 0 for none: it is in the ids, so that the judge can know. */
  #reasoning = 0;
  #produced = 0;

  constructor(style: number) {
    this.#asEasy = style % 2 === 1;
    this.#keeping = KEEPING[style % 3] ?? "plain";
    this.#calls = CALLS[style % 5] ?? "function";
    if (style % 4 > 1) this.#items.push({ role: style % 4 === 2 ? "system" : "developer", content: "You are an agent." });
  }

  write(turns: readonly TurnToWrite[]): ResponseItem[] {
    let answered = new Set<Block>();
    turns.forEach(({ role, blocks }, number) => {
      if (role === "assistant") answered = this.#response(blocks, turns[number + 1]?.blocks.filter(isToolResult) ?? []);
      else this.#words(role === "user" ? "user" : "developer", blocks, answered);
    });
    return this.#items;
  }

  #words(role: string, blocks: readonly Block[], answered: ReadonlySet<Block>): void {
    for (const block of blocks) if (isToolResult(block) && !answered.has(block)) this.#items.push(this.#output(block));
    const others = blocks.filter((block) => !isToolResult(block));
    if (others.length > 0) this.#items.push({ ...(this.#asEasy ? {} : { type: "message" }), role, content: contentOf(others, this.#asEasy) });
  }

  /** Gives back the results that it wrote after their calls. */
  #response(blocks: readonly Block[], results: readonly ToolResultBlock[]): Set<Block> {
    const answered = new Set<Block>();
    this.#reasoning = 0;
    // A reference does not tell which output is its own: only where there is no choice can anyone know.
    const calls = blocks.filter(isToolUse);
    const isReferred =
      this.#calls === "any" && this.#keeping === "stored" && calls.length === 1 && results.length === 1 && calls[0]?.id === results[0]?.tool_use_id;
    const lastSaid = blocks.findLastIndex((block) => !isThinking(block));
    blocks.forEach((block, number) => {
      if (isThinking(block)) {
        if (number < lastSaid && this.#keeping !== "plain") this.#think(block);
        return;
      }
      this.#items.push(!isToolUse(block) ? this.#said(block) : isReferred ? this.#referredCall(block) : this.#call(block));
      const result = results.find((candidate) => isToolUse(block) && candidate.tool_use_id === block.id && !answered.has(candidate));
      if (this.#calls !== "interleaved" || result === undefined) return;
      answered.add(result);
      this.#items.push(this.#output(result));
    });
    return answered;
  }

  /** Every third thought looks something up at once: a call that the provider runs. */
  #think(block: Block): void {
    this.#reasonings += 1;
    const text = "thinking" in block ? String(block.thinking) : "";
    const summary = text === "" ? [] : [{ type: "summary_text", text }];
    if (this.#keeping === "encrypted") {
      this.#items.push({ type: "reasoning", summary, encrypted_content: `gAAA${this.#reasonings}` });
      return;
    }
    this.#reasoning = this.#reasonings;
    const id = `rs_${this.#reasoning}`;
    this.#items.push(this.#calls === "any" ? { type: "item_reference", id } : { type: "reasoning", id, summary });
    if (this.#reasonings % 3 === 0) this.#items.push({ type: "web_search_call", ...this.#id("ws"), action: { type: "search" } });
  }

  #id(prefix: string): { readonly id?: string } {
    if (this.#keeping !== "stored") return {};
    this.#produced += 1;
    return { id: `${prefix}_${this.#reasoning}_${this.#produced}` };
  }

  #said(block: Block): ResponseItem {
    const text = isText(block) ? block.text : `(${block.type})`;
    if (this.#asEasy && this.#keeping !== "stored") return { role: "assistant", content: text };
    return { type: "message", role: "assistant", ...this.#id("msg"), content: [{ type: "output_text", text, annotations: [] } as ItemPart] };
  }

  /** The same for a call and its output, whatever id they have. */
  #kindOf(id: string): CallKind {
    const sum = Array.from(id, (letter) => letter.charCodeAt(0)).reduce((total, code) => total + code, 0);
    if (this.#calls === "interleaved") return "function";
    if (this.#calls !== "any") return sum % 3 === 0 ? "function" : this.#calls;
    return (["function", "custom", "shell", "local_shell", "apply_patch"] as const)[sum % 5] ?? "function";
  }

  #call({ id: callId, name, input }: ToolUseBlock): ResponseItem {
    const call = { ...this.#id("fc"), call_id: callId };
    const text = JSON.stringify(input);
    switch (this.#kindOf(callId)) {
      case "function":
        return { type: "function_call", ...call, name, arguments: text };
      case "custom":
        return { type: "custom_tool_call", ...call, name, input: text };
      case "shell":
        return { type: "shell_call", ...call, action: { commands: [text], timeout_ms: null } };
      case "local_shell":
        return { type: "local_shell_call", ...call, action: { type: "exec", command: ["sh", text], env: {} } };
      case "apply_patch":
        return { type: "apply_patch_call", ...call, operation: { type: "update_file", path: "a", diff: text } };
    }
  }

  /** The judge reads in the id what the provider knows of the item that it has stored. */
  #referredCall({ id }: ToolUseBlock): ResponseItem {
    return { ...(this.#asEasy ? {} : { type: "item_reference" }), id: `${this.#id("fc").id ?? ""}:${id}` };
  }

  #output(block: ToolResultBlock): ResponseItem {
    const { tool_use_id: callId, content } = block;
    const text = resultText(block);
    switch (this.#kindOf(callId)) {
      case "shell":
        return {
          type: "shell_call_output",
          call_id: callId,
          output: [
            { stdout: text, stderr: "", outcome: { type: "exit", exit_code: 0 } },
            ...(this.#asEasy ? [] : [{ stdout: "", stderr: "!", outcome: { type: "timeout" } }]),
          ],
        };
      case "local_shell":
        return { type: "local_shell_call_output", id: callId, output: text };
      case "apply_patch":
        return { type: "apply_patch_call_output", call_id: callId, status: "completed", ...(text === "" ? {} : { output: text }) } as ResponseItem;
      case "custom":
        return { type: "custom_tool_call_output", call_id: callId, output: text };
      default: {
        const isText = typeof content === "string" || content === undefined || content.length === 0 || this.#asEasy;
        return { type: "function_call_output", call_id: callId, output: isText ? text : content.map(partOf) };
      }
    }
  }
}

function contentOf(blocks: readonly Block[], asEasy: boolean): string | readonly ItemPart[] {
  const parts = blocks.map(partOf);
  return asEasy && parts.every(({ text }) => text !== undefined) ? parts.map(({ text }) => text).join("\n") : parts;
}

function partOf(block: Block): ItemPart {
  if (isText(block)) return { type: "input_text", text: block.text };
  if (block.type === "system_reminder" && "text" in block) return { type: "input_text", text: `<system-reminder>${String(block.text)}</system-reminder>` };
  return { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" } as ItemPart;
}

function isOutput({ type }: ResponseItem): boolean {
  return type?.endsWith("_output") === true;
}

function outputLength({ output }: ResponseItem): number {
  if (typeof output === "string") return output.length;
  if (!Array.isArray(output)) return 0;
  const texts = (output as readonly { text?: string; stdout?: string; stderr?: string }[]).map(({ text = "", stdout = "", stderr = "" }) => [
    text,
    stdout,
    stderr,
  ]);
  // Between what a shell prints on its two streams, and again, there is at least a line's end.
  return texts.reduce((sum, [text = "", stdout = "", stderr = ""]) => sum + text.length + (stdout === "" ? 0 : stdout.length + 1) + stderr.length, 0);
}

/** Section C of the provider rules, read a second time, by a provider that remembers what it has produced: its ids say so. */
function responsesFaults(items: readonly ResponseItem[], { history }: { readonly history: boolean }): string[] {
  const found: string[] = [];
  const reasoningIds = new Set<string>();
  const ids = new Set<string>();
  const open: { id: string; at: number }[] = [];
  items.forEach((item, at) => {
    const { id } = item;
    const next = items[at + 1];
    if (typeof id === "string" && !isOutput(item)) {
      if (ids.has(id)) found.push(`duplicate:${id}`);
      ids.add(id);
    }
    if (isReasoning(item)) {
      if (typeof id === "string") reasoningIds.add(id);
      if (next === undefined ? !history : !isProducedBy(next, id)) found.push(`C3:${id ?? "encrypted"}`);
      if (item.type === "reasoning" && !Array.isArray(item.summary)) found.push("C6:summary");
    } else if (reasoningNumber(item) > 0 && !reasoningIds.has(`rs_${reasoningNumber(item)}`)) found.push(`C4:${id ?? ""}`);
    if (isOutput(item)) {
      const answered = item.call_id ?? id ?? "";
      const call = open.findLastIndex((candidate) => candidate.id === answered);
      if (call === -1) found.push(`C2:${answered}`);
      else open.splice(call, 1);
    }
    const called = callOf(item);
    if (called !== undefined) open.push({ id: called, at });
    if (!hasShape(item)) found.push(`shape:${item.type ?? item.role ?? ""}`);
  });
  const lastWords = items.findLastIndex(isWords);
  return [...found, ...open.flatMap(({ id, at }) => (history && at > lastWords ? [] : [`C1:${id}`]))];
}

function isWords({ type, role }: ResponseItem): boolean {
  return (type ?? "message") === "message" && role !== undefined && role !== "assistant";
}

function isReasoning({ type, id }: ResponseItem): boolean {
  return type === "reasoning" || id?.startsWith("rs_") === true;
}

function isProducedBy(item: ResponseItem, reasoningId: string | null | undefined): boolean {
  if (isReasoning(item)) return true;
  if (isWords(item) || isOutput(item)) return false;
  return typeof reasoningId !== "string" || `rs_${reasoningNumber(item)}` === reasoningId;
}

function reasoningNumber({ id }: ResponseItem): number {
  return Number(/^[a-z]+_(\d+)_\d+/.exec(id ?? "")?.[1] ?? 0);
}

function callOf(item: ResponseItem): string | undefined {
  if (isOutput(item)) return undefined;
  const isReference = item.type === "item_reference" || (item.type === undefined && item.role === undefined);
  return isReference ? /^fc_\d+_\d+:([^]*)$/.exec(item.id ?? "")?.[1] : (item.call_id ?? undefined);
}

function hasShape(item: ResponseItem): boolean {
  const { content, output, action, operation } = item as ResponseItem & { action?: { commands?: unknown; command?: unknown }; operation?: { diff?: unknown } };
  switch (item.type ?? (item.role === undefined ? "item_reference" : "message")) {
    case "message":
      return (
        typeof content === "string" || (content ?? []).every(({ type }) => (item.role === "assistant" ? type === "output_text" : type.startsWith("input_")))
      );
    case "function_call":
      return typeof JSON.parse(String(item.arguments)) === "object" || item.arguments === '"text"';
    case "custom_tool_call":
      return typeof item.input === "string";
    case "shell_call":
      return Array.isArray(action?.commands);
    case "local_shell_call":
      return Array.isArray(action?.command);
    case "apply_patch_call":
      return typeof operation?.diff === "string";
    case "function_call_output":
    case "custom_tool_call_output":
      return typeof output === "string" || (Array.isArray(output) && output.length > 0 && output.every(({ type }: ItemPart) => type.startsWith("input_")));
    case "local_shell_call_output":
      return typeof output === "string" && typeof item.id === "string";
    case "apply_patch_call_output":
      return typeof output === "string" || output === undefined;
    case "shell_call_output":
      return (
        Array.isArray(output) &&
        output.every(({ stdout, stderr, outcome }) => typeof stdout === "string" && typeof stderr === "string" && outcome !== undefined)
      );
    case "web_search_call":
    case "item_reference":
      return typeof item.id === "string";
    case "reasoning":
      return true;
    default:
      return false;
  }
}
