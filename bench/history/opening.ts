import { openHistory } from "../../src/history/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { syntheticThread } from "../threads/synthetic.ts";
import type { Engine } from "./database.ts";
import { race, ratioOf } from "./race.ts";

export interface OpeningTime {
  readonly database: string;
  readonly messages: number;
  readonly megabytes: number;
  readonly ms: number;
  /** Over `JSON.parse` of the messages. */
  readonly parse: number;
  /** A search for a word in it. */
  readonly searchMs: number;
}

const MESSAGES = 10_000;

/** Times a new history that reads the thread and returns its view. */
export async function openingTimes(engines: readonly Engine[], rounds: number, progress: (text: string) => void): Promise<OpeningTime[]> {
  const messages = syntheticThread(MESSAGES).slice(0, MESSAGES);
  const text = JSON.stringify(messages);
  const bases = await Promise.all(engines.map((engine) => engine.create()));
  const stores: { name: string; store: Store }[] = [{ name: "memory", store: await openStore("memory") }];
  for (const [index, base] of bases.entries()) stores.push({ name: engines[index]?.name ?? "", store: await openStore(base.address) });
  for (const { name, store } of stores) {
    progress(`writes the thread: ${name}`);
    await (await openHistory({ store, thread: "t" })).append(messages);
  }
  const open = async (store: Store): Promise<void> => {
    const view = await (await openHistory({ store, thread: "t" })).view();
    if (view.length !== MESSAGES) throw new Error(`The view has ${view.length} messages.`);
  };
  const parse = { name: "JSON.parse", run: () => Promise.resolve(void JSON.parse(text)) };
  const [parsed, ...opened] = await race([parse, ...stores.map(({ name, store }) => ({ name, run: () => open(store) }))], rounds, progress);
  const search = async (store: Store): Promise<void> => void (await (await openHistory({ store, thread: "t" })).log({ text: "migrations" }));
  const searched = await race(
    stores.map(({ name, store }) => ({ name, run: () => search(store) })),
    rounds,
    progress,
  );
  for (const { store } of stores) await store.close();
  for (const base of bases) await base.remove();
  return opened.map((raced, index) => ({
    database: raced.name,
    messages: MESSAGES,
    megabytes: text.length / 1e6,
    ms: raced.medianMs,
    parse: ratioOf(raced, parsed),
    searchMs: searched[index]?.medianMs ?? Number.NaN,
  }));
}
