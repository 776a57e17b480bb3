import { after } from "node:test";
import { createInspector, serveInspector, type InspectorOptions } from "../../../src/inspector/index.ts";
import type { Store } from "../../../src/store/store.ts";

export interface ServedPages {
  /** Of the list. */
  readonly url: string;
  /** Tells pages that something has come. */
  readonly changed: () => void;
  readonly close: () => Promise<void>;
}

/** An inspector on a free port. It ends with the test that asks for it. */
export async function servePages(store: Store | undefined, options: Partial<InspectorOptions> = {}): Promise<ServedPages> {
  const listeners = new Set<() => void>();
  const inspector = createInspector({
    ...(store === undefined ? {} : { store }),
    about: () => ({ version: "0", source: "store", name: store?.name ?? "demo", remarks: [] }),
    own: { host: "127.0.0.1", token: undefined },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...options,
  });
  const served = await serveInspector(inspector, { host: "127.0.0.1", port: 0 });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= served.close());
  after(close);
  return {
    url: served.url,
    changed: () => {
      for (const listener of listeners) listener();
    },
    close,
  };
}
