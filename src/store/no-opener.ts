import type { Store } from "./store.ts";

/** Without Node, no store can be opened by its address: callers pass an open store. */
export const openStore: ((address: string) => Promise<Store>) | undefined = undefined;
