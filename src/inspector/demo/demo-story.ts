import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { Block, Message } from "../../messages/message.ts";
import { blocksOf } from "../../messages/message.ts";
import type { ConversationRecorder, Timing } from "../recorded/conversation-recorder.ts";
import { createDice } from "./hookline-files.ts";

type ToolInput = Readonly<Record<string, unknown>>;

/** Tells a story to a recorder: who says what, and how long it takes. */
export class Story {
  readonly #recorder: ConversationRecorder;
  readonly #model: string;
  readonly #dice: () => number;
  #atMs: number;
  #calls = 0;

  constructor(recorder: ConversationRecorder, model: string, beganMs: number, seed: number) {
    this.#recorder = recorder;
    this.#model = model;
    this.#atMs = beganMs;
    this.#dice = createDice(seed);
  }

  get nowMs(): number {
    return this.#atMs;
  }

  user(text: string): void {
    this.#recorder.say({ role: "user", content: [{ type: "text", text }] });
  }

  /** The model says something and calls a tool; its result comes back. */
  async tool(said: string, name: string, input: ToolInput, result: string, isError = false): Promise<void> {
    await this.tools(said, [[name, input, result, isError]]);
  }

  async tools(said: string, calls: readonly (readonly [name: string, input: ToolInput, result: string, isError?: boolean])[]): Promise<void> {
    const ids = calls.map(() => this.#id());
    const uses = calls.map(([name, input], number) => ({ type: "tool_use", id: ids[number] ?? "", name, input }));
    await this.#call([() => ({ role: "assistant", content: [...textOf(said), ...uses] })], "tool_use");
    const content = calls.map(([, , result, isError], number) => ({
      type: "tool_result",
      tool_use_id: ids[number] ?? "",
      content: result,
      ...(isError === true ? { is_error: true } : {}),
    }));
    this.#recorder.say({ role: "user", content });
  }

  async says(text: string): Promise<void> {
    await this.#call([() => ({ role: "assistant", content: textOf(text) })], "end_turn");
  }

  /** The model asks for an original first, in a hidden round, and goes on with a tool. */
  async recalls(grep: string, then: readonly [said: string, name: string, input: ToolInput, result: string]): Promise<void> {
    const [said, name, input, result] = then;
    const [asked, id] = [this.#id(), this.#id()];
    const recall = (conversation: Conversation): Message => ({
      role: "assistant",
      content: [{ type: "tool_use", id: asked, name: recallTool.name, input: { handle: newestHandle(conversation), grep } }],
    });
    await this.#call([recall, () => ({ role: "assistant", content: [...textOf(said), { type: "tool_use", id, name, input }] })], "tool_use");
    this.#recorder.say({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] });
  }

  /** The model writes a summary over its last messages, in a hidden round, and goes on. */
  async compacts(messages: number, summary: string, then: string): Promise<void> {
    const id = this.#id();
    const compact = (conversation: Conversation): Message => ({
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id,
          name: compactTool.name,
          input: { replacements: [{ from: checkpointBefore(conversation, messages), to: lastCheckpoint(conversation), summary }] },
        },
      ],
    });
    await this.#call([compact, () => ({ role: "assistant", content: textOf(then) })], "end_turn");
  }

  async side(kind: "side" | "compaction", model: string, inputTokens: number, outputTokens: number): Promise<void> {
    this.waits(0.5);
    await this.#recorder.side({ kind, model, atMs: this.#atMs, inputTokens, outputTokens, timing: { ownMs: 1, firstByteMs: 420, streamMs: 300 } });
  }

  waits(seconds: number): void {
    this.#atMs += Math.round(seconds * 1_000);
  }

  async #call(answers: readonly ((conversation: Conversation) => Message)[], stopReason: string): Promise<void> {
    const timings = answers.map((): Timing => {
      const dice = this.#dice;
      return { ownMs: Math.round(2 + dice() * 6), firstByteMs: Math.round(600 + dice() * 1_400), streamMs: Math.round(900 + dice() * 8_000) };
    });
    await this.#recorder.call({ model: this.#model, atMs: this.#atMs, answers, timings, stopReason });
    this.waits(timings.reduce((sum, { ownMs, firstByteMs, streamMs }) => sum + ownMs + firstByteMs + streamMs, 0) / 1_000 + 3 + this.#dice() * 22);
  }

  #id(): string {
    return `toolu_demo${String(++this.#calls).padStart(4, "0")}`;
  }
}

function textOf(text: string): Block[] {
  return text === "" ? [] : [Object.assign({ type: "text" }, { text })];
}

/** Returns the newest handle, preferably of a result that was cut to its telling lines. */
function newestHandle({ inForce }: Conversation): string {
  const named = inForce.filter(({ handle }) => handle !== undefined);
  return (named.findLast(({ kind }) => kind === "replace-range") ?? named.at(-1))?.handle ?? "start";
}

function checkpointsIn({ log }: Conversation): { readonly position: number; readonly id: string }[] {
  return log.flatMap((message, position) =>
    blocksOf(message).flatMap((block) => (block.type === "checkpoint" ? [{ position, id: String((block as Block & { readonly id?: unknown }).id) }] : [])),
  );
}

function checkpointBefore(conversation: Conversation, messages: number): string | undefined {
  const { length } = conversation;
  return checkpointsIn(conversation).findLast(({ position }) => position < length - messages)?.id;
}

function lastCheckpoint(conversation: Conversation): string | undefined {
  // The model is still answering the newest messages, so they stay.
  return checkpointsIn(conversation).findLast(({ position }) => position < conversation.length - 3)?.id;
}
