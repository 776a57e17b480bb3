import { request as open, type IncomingMessage } from "node:http";
import { MessageChannel, Worker } from "node:worker_threads";
import { NO_METRICS, sumOfMetrics, type CallMetrics } from "../../agent/front-end/metrics.ts";
import { serveStore } from "../../store/remote-store.ts";
import type { Store } from "../../store/store.ts";
import type { ClientAnswer } from "../http/client-answer.ts";
import { forwardedHeaders } from "../http/headers.ts";
import { failureOf } from "../http/upstreams.ts";
import type { ProxyEvent } from "../proxy-event.ts";
import { portStream } from "./port-stream.ts";
import { withErrors, type FromThread, type ThreadSettings, type ToThread } from "./thread-message.ts";

export interface LargeBodiesOptions {
  readonly settings: ThreadSettings["settings"];
  readonly store: string | Store;
  /** Bodies larger than this, or with new content larger than a quarter of this, go to the thread. */
  readonly limitBytes: number;
  readonly shutdownMs: number;
  readonly onEvent: (event: ProxyEvent) => void;
}

/** The thread did not begin to answer. */
export class ThreadFailure extends Error {
  override readonly name = "ThreadFailure";
}

/** New messages take longer to process than known ones take to parse, so they count against this share of the limit. */
const UNSEEN = 0.25;
/** The thread starts early, to be ready when a body is large enough. */
const STARTS_AT = 0.5;
const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";

interface Thread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
}

/**
 * Requests with large bodies are read in a separate thread, because parsing one and processing its conversation blocks a thread. That thread is a
 * second proxy with the same store: it continues a conversation as another process would.
 */
export class LargeBodies {
  readonly #options: LargeBodiesOptions;
  #thread: Thread | undefined;
  #metrics: CallMetrics = NO_METRICS;
  /** Metrics of threads that have ended. */
  #metricsBefore: CallMetrics = NO_METRICS;
  #notReady: string | undefined;
  #isClosed = false;

  constructor(options: LargeBodiesOptions) {
    this.#options = options;
  }

  /** Metrics of all calls that the threads have answered. */
  get metrics(): CallMetrics {
    return sumOfMetrics(this.#metricsBefore, this.#metrics);
  }

  whyNotReady(): string | undefined {
    return this.#notReady;
  }

  /** Returns whether the thread should read a body with this many bytes, of which this many are new. False also if the thread cannot be started. */
  async takes(bytes: number, unseenBytes: number = bytes): Promise<boolean> {
    const { limitBytes } = this.#options;
    const share = Math.max(bytes / limitBytes, unseenBytes / (limitBytes * UNSEEN));
    if (this.#isClosed || share <= STARTS_AT) return false;
    const { ready } = (this.#thread ??= this.#start());
    if (share <= 1) {
      ready.catch(() => undefined);
      return false;
    }
    return ready.then(
      () => true,
      () => false,
    );
  }

  /** Lets the thread answer the request. Rejects with `ThreadFailure` if no answer has begun. */
  async answer(request: IncomingMessage, body: Buffer, answer: ClientAnswer): Promise<void> {
    const incoming = await this.#send(request, body, answer.signal);
    await answer.pipe(incoming, {});
  }

  #send(request: IncomingMessage, body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
    const worker = this.#thread?.worker;
    if (worker === undefined) return Promise.reject(new ThreadFailure("the thread for large bodies is not running"));
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ type: "connection", port: port2 } satisfies ToThread, [port2]);
    const connection = portStream(port1);
    return new Promise((resolve, reject) => {
      const outgoing = open({
        createConnection: () => connection,
        method: request.method,
        path: request.url,
        headers: forwardedHeaders(request.rawHeaders, { "content-length": String(body.length), connection: "close" }),
        signal,
      });
      outgoing.on("response", resolve);
      outgoing.on("error", (error) => {
        // The thread ends a connection as the provider did. One that breaks, it did not end.
        const isAnswered = signal.aborted || connection.readableEnded;
        reject(isAnswered ? failureOf(error, signal) : new ThreadFailure(error.message, { cause: error }));
      });
      outgoing.end(body);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#thread?.worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => void worker.once("exit", () => resolve()));
    const { shutdownMs } = this.#options;
    // Without any time, it would be a matter of chance how far it gets.
    if (shutdownMs > 0) worker.postMessage({ type: "close" } satisfies ToThread);
    const timer = setTimeout(() => void worker.terminate(), shutdownMs);
    await ended;
    clearTimeout(timer);
  }

  #start(): Thread {
    const { settings, store } = this.#options;
    const channel = typeof store === "string" ? undefined : new MessageChannel();
    if (channel !== undefined) serveStore(store as Store, channel.port1);
    const data: ThreadSettings = { settings, store: channel === undefined ? (store as string) : { name: (store as Store).name, port: channel.port2 } };
    const worker = new Worker(new URL(`./large-thread.${EXTENSION}`, import.meta.url), {
      workerData: data,
      transferList: channel === undefined ? [] : [channel.port2],
    });
    // Only the server keeps the process alive.
    worker.unref();
    const ready = new Promise<void>((resolve, reject) => {
      worker.on("message", (message: FromThread) => {
        if (message.type === "ready") resolve();
        else this.#heard(message);
      });
      worker.on("error", (error) => this.#options.onEvent({ type: "failed", stage: "internal", error, path: "large bodies" }));
      worker.on("exit", () => {
        // The next large body starts another thread.
        if (this.#thread?.worker === worker) this.#thread = undefined;
        channel?.port1.close();
        this.#metricsBefore = this.metrics;
        this.#metrics = NO_METRICS;
        this.#notReady = undefined;
        reject(new ThreadFailure("the thread for large bodies has ended"));
      });
    });
    return { worker, ready };
  }

  #heard({ event, metrics, notReady }: Extract<FromThread, { readonly type: "event" }>): void {
    this.#metrics = metrics;
    this.#notReady = notReady;
    this.#options.onEvent(withErrors(event));
  }
}
