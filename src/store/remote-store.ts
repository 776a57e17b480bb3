import type { MessagePort } from "node:worker_threads";
import { PalimpsestError, type ErrorCode, type ErrorData } from "../errors/palimpsest-error.ts";
import { storeClosed, storeFailed } from "./store-failed.ts";
import type { Store } from "./store.ts";

/** What can be asked from another thread. `audit` and `repair` take functions, which cannot be sent; `close` would end the store for everybody. */
const METHODS = [
  "threads",
  "branches",
  "head",
  "fork",
  "append",
  "commits",
  "byHash",
  "contents",
  "addStep",
  "steps",
  "putNotes",
  "notes",
  "dropNotes",
  "memo",
  "setMemo",
  "beginImport",
  "unfinished",
  "rename",
  "forget",
  "retain",
] as const satisfies readonly (keyof Store)[];

type Method = (typeof METHODS)[number];
type Call = (...given: readonly unknown[]) => Promise<unknown>;

interface Question {
  readonly id: number;
  readonly method: Method;
  readonly given: readonly unknown[];
}

/** An error keeps its code and data on the way; of others only the message is left. */
interface Failure {
  readonly message: string;
  readonly code?: ErrorCode;
  readonly data?: ErrorData;
}

type Reply = { readonly id: number } & ({ readonly value: unknown } | { readonly failure: Failure });

/** Lets another thread use this store through the port, with `remoteStore` at its other end. */
export function serveStore(store: Store, port: MessagePort): void {
  port.on("message", ({ id, method, given }: Question) => {
    (store[method] as Call)(...given).then(
      (value) => port.postMessage({ id, value } satisfies Reply),
      (error: unknown) => port.postMessage({ id, failure: failureOf(error) } satisfies Reply),
    );
  });
  port.unref();
}

/** Returns the store that another thread serves at the other end of the port. Closing it leaves the store itself open. */
export function remoteStore(name: string, port: MessagePort): Store {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void; method: Method }>();
  let asked = 0;
  let isClosed = false;
  port.on("message", (reply: Reply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {};
    waiting.delete(reply.id);
    if ("value" in reply) resolve?.(reply.value);
    else reject?.(errorFrom(reply.failure));
  });
  port.on("close", () => {
    isClosed = true;
    for (const { reject, method } of waiting.values()) reject(storeClosed(name, method));
    waiting.clear();
  });
  const ask = (method: Method, given: readonly unknown[]): Promise<unknown> => {
    if (isClosed) return Promise.reject(storeClosed(name, method));
    const id = asked++;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, method });
      port.postMessage({ id, method, given } satisfies Question);
    });
  };
  const refuse = (operation: string) => (): Promise<never> =>
    Promise.reject(storeFailed(name, operation, "it can only be done in the thread that has opened the store"));
  return {
    ...(Object.fromEntries(METHODS.map((method) => [method, (...given: readonly unknown[]) => ask(method, given)])) as unknown as Pick<Store, Method>),
    name,
    audit: refuse("audit"),
    repair: refuse("repair"),
    close: () => {
      port.close();
      return Promise.resolve();
    },
  };
}

function failureOf(error: unknown): Failure {
  if (PalimpsestError.isInstance(error)) return { message: error.message, code: error.code, data: error.data };
  return { message: error instanceof Error ? error.message : String(error) };
}

function errorFrom({ message, code, data }: Failure): Error {
  return code === undefined ? new Error(message) : new PalimpsestError(code, message, data);
}
