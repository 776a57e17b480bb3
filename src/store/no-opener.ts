import type { Store } from "./store.ts";

/** Where nothing of Node is there, no store can be opened by its address. Whoever has one gives it open. */
export const openStore: ((address: string) => Promise<Store>) | undefined = undefined;
