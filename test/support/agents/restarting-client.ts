/**
 * A client for an agent loop that is another one at each call: as if the process had been restarted, or another one had taken over. `open` makes it, `leave`
 * is called when its call is over.
 */
export function restartingClient<C extends object>(open: () => C, leave: (client: C) => Promise<void> | void): C {
  const at = (path: readonly string[]): object =>
    new Proxy(() => undefined, {
      get: (_, name) => (name === "then" ? undefined : at([...path, String(name)])),
      apply: (_, __, parameters: unknown[]) => {
        const client = open();
        const owner = path
          .slice(0, -1)
          .reduce<Record<string, unknown>>((inner, name) => inner[name] as Record<string, unknown>, client as Record<string, unknown>);
        const method = owner[path.at(-1) ?? ""] as (...given: unknown[]) => unknown;
        return whenOver(method.apply(owner, parameters), () => leave(client));
      },
    });
  return at([]) as C;
}

const ENDS = ["finalMessage", "finalChatCompletion", "finalResponse"];

/** Of a stream, when its end was waited for. */
function whenOver(result: unknown, leave: () => Promise<void> | void): unknown {
  const stream = result as Record<string, (() => Promise<unknown>) | undefined>;
  const ends = ENDS.filter((name) => typeof stream[name] === "function");
  if (ends.length === 0) return (result as Promise<unknown>).then(async (answer) => (await leave(), answer));
  const wait = async (end: string): Promise<unknown> => {
    const answer = await stream[end]?.();
    await leave();
    return answer;
  };
  return Object.fromEntries(ends.map((end) => [end, () => wait(end)]));
}
