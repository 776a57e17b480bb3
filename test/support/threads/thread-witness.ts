import assert from "node:assert/strict";
import { createThread, type Pin, type Thread, type ThreadOptions } from "../../../src/agent/index.ts";
import type { Block, Edit, Message } from "../../../src/index.ts";
import { text } from "../build.ts";
import { deepFreeze } from "../check-property.ts";
import { blocksIn, isResult, isThought, type JudgedMessage } from "../judged-request.ts";
import { handlesNamed, inRange, lostTexts } from "../lost-texts.ts";
import { BindingWorld, faults } from "../provider-judge.ts";

interface Sent {
  readonly bytes: readonly string[];
  readonly length: number;
  readonly edits: ReadonlySet<string>;
}

interface Pinned {
  readonly id: string;
  readonly blocks: readonly string[];
}

/** Remembers what a thread showed, and judges what it shows next: as the provider, and by what the thread promises. */
export class ThreadWitness {
  readonly #options: ThreadOptions;
  readonly #target: { readonly bindsThinking: boolean; readonly dropBlock: boolean; readonly thinking: "adaptive" | "manual" | "off" };
  /** The log as it was seen last. The world reads it while it grows. */
  readonly #log: JudgedMessage[] = [];
  readonly #written: string[] = [];
  readonly #world: BindingWorld = new BindingWorld(this.#log);
  readonly #announced = new Map<string, boolean>();
  #last: Sent | undefined;
  /** How many were seen. */
  digests = 0;
  /** How many views named the places where rounds were dropped as a range. */
  placesInRanges = 0;
  #pins: Pinned[] = [];

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#target = { bindsThinking: true, dropBlock: false, thinking: "adaptive", ...options.target };
  }

  get #binds(): boolean {
    return this.#target.bindsThinking && !this.#target.dropBlock;
  }

  /** The thread as it is after a restart. */
  resumed(thread: Thread): Thread {
    return createThread({ ...this.#options, state: JSON.parse(JSON.stringify(thread)) as unknown });
  }

  /** The message at this position came back for this request. */
  produced(position: number, sent: readonly Message[]): void {
    this.#world.produced(position, sent);
  }

  /** What the pinned message shows now, it shows as long as it is pinned. */
  pinned(thread: Thread, { id, position }: Pin): void {
    const blocks = shownBlocks(thread.log()[position]);
    if (!this.#pins.some((pin) => pin.id === id) && isShown(blocks, thread.request().messages)) this.#pins.push({ id, blocks });
  }

  unpinned(id: string): void {
    this.#pins = this.#pins.filter((pin) => pin.id !== id);
  }

  /** The first request of a branch, which goes on after this length of the log. */
  judgeBranch(messages: readonly Message[], length: number): void {
    assert.deepEqual(faults(messages, { thinking: this.#target.thinking }), [], "branch");
    const bound = this.#refused(this.#world.faults(messages, length), messages).filter((fault) => !fault.startsWith("A4.1"));
    assert.deepEqual(bound, [], "branch");
  }

  /** The request, as the provider judges it. */
  request(thread: Thread): readonly Message[] {
    const { messages } = thread.request();
    this.checkLog(thread);
    const bytes = messages.map((message) => JSON.stringify(message));
    assert.deepEqual(faults(messages, { thinking: this.#target.thinking }), []);
    assert.deepEqual(this.#refused(this.#world.faults(messages), messages), []);
    assert.deepEqual(
      thread.request().messages.map((message) => JSON.stringify(message)),
      bytes,
      "the same bytes twice",
    );
    assert.deepEqual(
      this.resumed(thread)
        .request()
        .messages.map((message) => JSON.stringify(message)),
      bytes,
      "the same bytes after a resume",
    );
    this.#checkPrefix(thread, bytes);
    for (const { id, blocks } of this.#pins) assert.ok(isShown(blocks, messages), `${id} is shown`);
    this.#checkHandles(thread, bytes.join("\n"));
    this.#checkDigests(thread, messages);
    this.#last = { bytes, length: thread.log().length, edits: new Set(thread.edits().map(keyOf)) };
    return messages;
  }

  /** What was shown is shown again, unless an edit was made or undone that lies in it. */
  #checkPrefix(thread: Thread, bytes: readonly string[]): void {
    if (this.#last === undefined) return;
    const { length, bytes: before, edits: known } = this.#last;
    const made = thread.edits().filter((edit) => !known.has(keyOf(edit)));
    if (made.some((edit) => edit.undoneAt !== undefined || firstPosition(edit) < length)) return;
    // Where an overview is not kept, the end of the last message was for that request only.
    const stable = this.#options.overview === true && !(this.#binds && this.#target.thinking !== "off") ? before.slice(0, -1) : before;
    // Thinking of an open loop goes as a whole (A4.1), so an edit may take what lies before it; what is done at ingest does not.
    const isIngest = made.every((edit) => edit.kind === "replace-result");
    const compared = (list: readonly string[]): readonly string[] => (isIngest ? list : list.map(withoutThinking));
    assert.deepEqual(compared(bytes.slice(0, stable.length)), compared(stable), "what was shown is the prefix of what is shown next");
  }

  #checkHandles(thread: Thread, view: string): void {
    for (const [, named = ""] of view.matchAll(/\[recall handles?: ([a-z0-9 …-]+)\]/g)) {
      const [handle = ""] = named.split(/[ -]/);
      const { content } = thread.recall({ handle, maxTokens: 1_000_000_000 });
      for (const part of named.includes("-") ? named.split(" ").flatMap((name) => [name, ...inRange(name)]) : []) {
        const given = thread.recall({ handle: part, maxTokens: 1_000_000_000 }).content;
        assert.ok(typeof given === "string" && (typeof content === "string" ? content : JSON.stringify(content)).includes(given), `part ${part}`);
      }
      // One of the places that were dropped together may be named alone, where it was recalled and what came back was cut.
      const edit = thread.edits().find((candidate) => candidate.handle === handle || candidate.handle === named);
      // What was dropped in many places has a handle for each.
      if (edit === undefined && named.includes("…")) {
        this.#checkPlaces(thread, named, textOf(content));
        continue;
      }
      if (edit?.kind === "replace-result") {
        const original = blocksIn(this.#log[edit.at.position] as JudgedMessage)[edit.at.block] as { content?: string | Block[] };
        assert.deepEqual(content, typeof original.content === "string" ? original.content : plainOf(original.content ?? []), `original of ${handle}`);
      } else if (edit?.kind === "collapse-round" || edit?.kind === "replace-range") {
        const [from, to] = edit.kind === "collapse-round" ? [edit.call, edit.lastResult + 1] : [edit.from.position, edit.to.position];
        for (const block of this.#log.slice(from, to).flatMap(blocksIn).filter(isResult)) {
          const { content: result } = block as { content?: string };
          if (typeof result === "string") assert.ok(typeof content === "string" && content.includes(result), `original of ${handle}`);
        }
      } else if (edit?.kind === "replace-block") {
        const { cache_control: _, ...picture } = blocksIn(this.#log[edit.at.position] as JudgedMessage)[edit.at.block] as unknown as Record<string, unknown>;
        assert.deepEqual(content, [picture], `original of ${handle}`);
      } else assert.fail(`${handle} names nothing that was shortened`);
    }
  }

  /** A range of places gives back what each of them hides, in their order. */
  #checkPlaces(thread: Thread, range: string, recalled: string): void {
    const names = inRange(range);
    // What was recalled from a place and then cut has the same handle, at another place.
    const edits = names.flatMap((name) => thread.edits().find(({ handle }) => handle === name) ?? []);
    assert.ok(edits.length > 0, `${range} names nothing that was shortened`);
    assert.equal(textOf(thread.recall({ handle: range, maxTokens: 1_000_000_000 }).content), recalled, range);
    let at = 0;
    for (const { handle = "" } of edits) {
      const place = textOf(thread.recall({ handle, maxTokens: 1_000_000_000 }).content);
      const found = recalled.indexOf(place, at);
      assert.ok(found >= 0, `${handle} is in ${range}`);
      at = found + place.length;
    }
    this.placesInRanges++;
  }

  /** What a digest hides is recalled by the handles that the view names. */
  #checkDigests(thread: Thread, view: readonly Message[]): void {
    const shown = view.flatMap(blocksIn).flatMap((block) => ("text" in block ? [String(block.text)] : []));
    for (const edit of thread.edits()) {
      if (edit.pass !== "digest-rounds" || edit.kind !== "replace-range" || edit.undoneAt !== undefined || edit.handle === undefined) continue;
      if (!shown.some((text) => text.includes(edit.summary))) continue;
      // In their order, so that what goes on in the next part is found.
      const recalled = handlesNamed(view).map((handle) => textOf(thread.recall({ handle, maxTokens: 1_000_000_000 }).content));
      assert.deepEqual(lostTexts(thread.log().slice(edit.from.position, edit.to.position), view, [recalled.join("")]), [], `hidden by ${edit.handle}`);
      this.digests++;
    }
  }

  /** Every edit was told of, and every undo. */
  checkAnnounced(thread: Thread): void {
    for (const edit of thread.edits()) assert.equal(this.#announced.get(edit.id), edit.undoneAt !== undefined, `event for ${edit.kind}`);
  }

  /** The log only grows, and what is in it never changes. */
  checkLog(thread: Thread): void {
    const log = thread.log();
    assert.ok(log.length >= this.#log.length);
    log.forEach((message, position) => {
      if (this.#log[position] === message) return;
      const written = JSON.stringify(message);
      assert.equal(this.#written[position] ?? written, written, `position ${position} of the log`);
      this.#log[position] = deepFreeze(message);
      this.#written[position] = written;
    });
    const ids = log.flatMap((message) => blocksIn(message).flatMap((block) => (block.type === "checkpoint" && "id" in block ? [String(block.id)] : [])));
    assert.equal(new Set(ids).size, ids.length, "checkpoints are unique");
    deepFreeze(thread.edits());
  }

  /** Listens to the thread. */
  watched(thread: Thread): Thread {
    thread.on("messages-updated", ({ edits, undone }) => {
      for (const { id } of edits) this.#announced.set(id, undone);
    });
    return thread;
  }

  /** What a provider refuses that does not bind thinking: thinking that was changed, or a loop with some of what it was produced with. */
  #refused(found: readonly string[], view: readonly Message[]): readonly string[] {
    if (this.#binds) return found;
    const shown = new Set(view.flatMap(marksIn));
    const loopStart = this.#log.findLastIndex((message) => message.role === "user" && !blocksIn(message).some(isResult)) + 1;
    const isWhole = this.#log.slice(loopStart).every((message) => marksIn(message).every((mark) => shown.has(mark)));
    return found.filter((fault) => !fault.startsWith("A4.8") && !(isWhole && fault === "A4.1:loop"));
  }
}

function marksIn(message: JudgedMessage): string[] {
  return blocksIn(message)
    .filter(isThought)
    .map((block) => JSON.stringify(block));
}

function keyOf({ id, undoneAt }: Edit): string {
  return `${id} ${undoneAt ?? ""}`;
}

function firstPosition(edit: Edit): number {
  switch (edit.kind) {
    case "collapse-round":
      return edit.call;
    case "replace-range":
      return edit.from.position;
    case "strip-blocks":
      return Math.min(...edit.at.map(({ position }) => position));
    default:
      return edit.at.position;
  }
}

/** The blocks of a message as the provider gets them, without thinking. */
function shownBlocks(message: Message | undefined): string[] {
  return blocksIn(message ?? { role: "user", content: "" })
    .filter((block) => !isThought(block))
    .map((block) => {
      if (block.type === "checkpoint" && "id" in block) return JSON.stringify(text(`<checkpoint:${String(block.id)}>`));
      if (block.type === "system_reminder" && "text" in block) return JSON.stringify(text(`<system-reminder>\n${String(block.text)}\n</system-reminder>`));
      return JSON.stringify(block);
    });
}

function withoutThinking(written: string): string {
  const message = JSON.parse(written) as JudgedMessage;
  return JSON.stringify({ ...message, content: blocksIn(message).filter((block) => !isThought(block)) });
}

function isShown(blocks: readonly string[], messages: readonly Message[]): boolean {
  return messages.some((message) => {
    const shown = blocksIn(message).map((block) => JSON.stringify(block));
    return blocks.every((block) => shown.includes(block));
  });
}

function textOf(content: string | readonly Block[]): string {
  return typeof content === "string" ? content : content.map((block) => ("text" in block ? String(block.text) : "")).join("\n");
}

/** Text alone comes back as text. */
function plainOf(content: readonly Block[]): unknown {
  return content.every((block) => block.type === "text") ? content.map((block) => (block as Block & { text: string }).text).join("\n") : content;
}
