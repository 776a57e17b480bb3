import { blocksOf, isText, isToolResult, isToolUse, resultText, type Block, type Message } from "../../../../src/messages/message.ts";

/** A message as the peers cut them: each result by itself, with ids that are unique though those of some files are not. */
export interface Unit {
  readonly position: number;
  readonly role: Message["role"] | "tool";
  /** Which blocks of the message it is. */
  readonly blocks: readonly number[];
  readonly text: string;
  readonly calls: readonly UnitCall[];
  /** The call that a result answers. */
  readonly callId: string;
  readonly toolName: string;
  readonly isError: boolean;
}

export interface UnitCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly block: number;
}

/** A unit as a peer left it. */
export interface ShownUnit {
  readonly unit: Unit;
  /** What its text was replaced by. */
  readonly text?: string;
  /** Blocks that were taken out of it. */
  readonly without?: ReadonlySet<number>;
}

/** Cuts a log that grows, each message once. */
export class UnitCutter {
  readonly #units: Unit[] = [];
  readonly #callOf = new Map<string, UnitCall>();
  #seen = 0;

  /** The units of what is new in the log. */
  cut(log: readonly Message[]): readonly Unit[] {
    const before = this.#units.length;
    for (; this.#seen < log.length; this.#seen++) {
      const message = log[this.#seen];
      if (message !== undefined) this.#units.push(...this.#unitsOf(message, this.#seen));
    }
    return this.#units.slice(before);
  }

  #unitsOf(message: Message, position: number): Unit[] {
    const blocks = blocksOf(message);
    const all = blocks.map((block, number) => ({ block, number }));
    const results = all.filter(({ block }) => isToolResult(block));
    const rest = all.filter(({ block }) => !isToolResult(block));
    const calls = rest.flatMap(({ block, number }) =>
      isToolUse(block) ? [{ id: `call_${position}_${number}`, name: block.name, input: block.input, block: number }] : [],
    );
    const units = results.flatMap(({ block, number }) => (isToolResult(block) ? [this.#resultUnit(block, position, number)] : []));
    for (const call of calls) this.#callOf.set((blocks[call.block] as Block & { readonly id: string }).id, call);
    if (rest.length === 0) return units;
    const text = rest.flatMap(({ block }) => (isText(block) ? [block.text] : [])).join("\n");
    const spoken: Unit = { position, role: message.role, blocks: rest.map(({ number }) => number), text, calls, callId: "", toolName: "", isError: false };
    return [...units, spoken];
  }

  #resultUnit(block: Parameters<typeof resultText>[0], position: number, number: number): Unit {
    const call = this.#callOf.get(block.tool_use_id);
    const [callId, toolName] = [call?.id ?? `none_${position}_${number}`, call?.name ?? "unknown"];
    return { position, role: "tool", blocks: [number], text: resultText(block), calls: [], callId, toolName, isError: block.is_error === true };
  }
}

/** Puts what a peer left together again. The same pieces give the same object. */
export class UnitJoiner {
  readonly #made = new Map<string, Message>();

  join(log: readonly Message[], shown: readonly ShownUnit[]): Message[] {
    const messages: Message[] = [];
    for (let at = 0; at < shown.length;) {
      const position = shown[at]?.unit.position ?? 0;
      let end = at;
      while (shown[end]?.unit.position === position) end++;
      const message = log[position];
      if (message !== undefined) messages.push(...this.#joined(message, position, shown.slice(at, end)));
      at = end;
    }
    return messages;
  }

  #joined(message: Message, position: number, shown: readonly ShownUnit[]): Message[] {
    const blocks = blocksOf(message);
    const kept = shown.flatMap(({ unit, text, without }) => unit.blocks.filter((number) => without?.has(number) !== true).map((number) => ({ number, text })));
    if (kept.length === 0) return [];
    if (kept.length === blocks.length && kept.every(({ text }) => text === undefined)) return [message];
    const key = `${position} ${JSON.stringify(kept)}`;
    let made = this.#made.get(key);
    if (made === undefined) {
      const content = kept.toSorted((a, b) => a.number - b.number).flatMap(({ number, text }) => {
        const block = blocks[number];
        return block === undefined ? [] : [text === undefined ? block : { ...block, ...(isToolResult(block) ? { content: text } : { text }) }];
      }); // prettier-ignore
      this.#made.set(key, (made = { ...message, content }));
    }
    return [made];
  }
}
