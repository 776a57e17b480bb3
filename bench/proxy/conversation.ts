/** A conversation of an agent with its tools, which grows by a turn with every call. */
export class Conversation {
  readonly #stream: boolean;
  readonly #name: string;
  readonly #messages: object[];
  #calls = 0;

  /** `name`: two conversations with the same one would be the same. */
  constructor(name: string, bytes: number, stream: boolean) {
    this.#name = name;
    this.#stream = stream;
    this.#messages = [{ role: "user", content: `Task ${name}: find the bug.` }];
    // As many rounds as agents typically have at that size, and enough of them to be edited.
    const rounds = Math.min(200, Math.max(24, Math.round(bytes / 6_000)));
    for (let round = 0; round < rounds; round++) this.#messages.push(...roundOf(round, Math.floor(bytes / rounds) - 200));
  }

  /** Returns the earlier requests with their answers: a proxy learns a conversation call by call. */
  history(): { readonly body: string; readonly next: string }[] {
    const calls: { readonly body: string; readonly next: string }[] = [];
    for (let length = 1; length < this.#messages.length; length += 2) {
      const { content } = this.#messages[length] as { readonly content: unknown };
      calls.push({ body: this.#body(this.#messages.slice(0, length)), next: JSON.stringify(content) });
    }
    return calls;
  }

  next(): string {
    const body = this.#body(this.#messages);
    this.#messages.push({ role: "assistant", content: [{ type: "text", text: "Ok." }] }, { role: "user", content: `Go on, ${this.#calls++}.` });
    return body;
  }

  #body(messages: readonly object[]): string {
    const tools = ["read", "grep", "run"].map((name) => ({
      name,
      description: `The tool ${name}.`,
      input_schema: { type: "object", properties: { path: { type: "string" } } },
    }));
    return JSON.stringify({
      model: "claude-opus-5",
      max_tokens: 1000,
      stream: this.#stream,
      system: "You are a careful agent.",
      tools,
      messages,
      metadata: { user_id: this.#name },
    });
  }
}

function roundOf(round: number, bytes: number): object[] {
  const id = `toolu_${round}`;
  const lines: string[] = [];
  // Half of the files are read again: what was read before can be shortened.
  const file = `src/part-${round % 12}.ts`;
  for (let length = 0, line = 1; length < bytes; line++) {
    const text = `${line}\tconst value_${line * 7919}_${round} = compute("${file}", ${line}); // \u00e9 "quoted" \\ path`;
    lines.push(text);
    length += text.length + 6;
  }
  return [
    {
      role: "assistant",
      content: [
        { type: "text", text: `I read ${file}.` },
        { type: "tool_use", id, name: "read", input: { path: file } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: lines.join("\n").slice(0, Math.max(60, bytes)) }] },
  ];
}
