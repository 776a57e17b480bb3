import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import type { Duplex } from "node:stream";
import type { Provider } from "../api.ts";
import { errorBody } from "./dialect-errors.ts";
import { answerHeaders, type HeaderChanges } from "./headers.ts";
import { failureOf } from "./upstreams.ts";

/** The client went away, or does not read. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/** The answer to a client. Every write waits until the client has taken it, or has gone away. */
export class ClientAnswer {
  /** Aborted when the client goes away before the answer ends. */
  readonly signal: AbortSignal;
  readonly #response: ServerResponse;
  readonly #idleMs: number;
  #begunMs: number | undefined;

  constructor(response: ServerResponse, idleMs: number) {
    this.#response = response;
    this.#idleMs = idleMs;
    const controller = new AbortController();
    this.signal = controller.signal;
    response.on("close", () => {
      if (!response.writableFinished) controller.abort(new ClientGone("The client went away."));
    });
    // Socket errors also emit "close", which is handled above.
    response.on("error", () => undefined);
  }

  get hasBegun(): boolean {
    return this.#begunMs !== undefined;
  }

  /** In the time of `performance.now`. */
  get begunMs(): number | undefined {
    return this.#begunMs;
  }

  get status(): number {
    return this.hasBegun ? this.#response.statusCode : 0;
  }

  /** Sends the provider's status and headers. */
  head(incoming: IncomingMessage, changes: HeaderChanges): void {
    this.#beginLike(incoming, changes);
    // Otherwise the client would wait for the head until the first event, however long the model thinks.
    this.#response.flushHeaders();
  }

  /** Sends an answer of the provider that has already been read. */
  whole(incoming: IncomingMessage, changes: HeaderChanges, bytes: Buffer): void {
    this.#beginLike(incoming, changes);
    this.end(bytes);
  }

  /** Waits only if the client is slower than we are. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isGone()) throw new ClientGone("The client went away.");
    if (bytes.length > 0 && !this.#response.write(bytes)) await this.#drained();
  }

  /** Sends now what node would otherwise collect until the current turn of the event loop is over. */
  flush(): void {
    this.#response.socket?.uncork();
  }

  end(bytes?: Uint8Array): void {
    if (bytes === undefined) this.#response.end();
    else this.#response.end(bytes);
  }

  /** Passes on everything that the provider sends, as it comes. Rejects with `UpstreamFailure` or `ClientGone`. */
  async pipe(incoming: IncomingMessage, changes: HeaderChanges): Promise<void> {
    this.head(incoming, changes);
    await this.pipeBody(incoming);
    this.end();
  }

  async pipeBody(incoming: IncomingMessage): Promise<void> {
    const chunks = incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (;;) {
      const next = await nextChunk(chunks, this.signal);
      if (next === undefined) return;
      await this.write(next);
    }
  }

  /** Sends an error of the proxy itself. */
  error(provider: Provider, status: number, message: string, headers: HeaderChanges = {}): void {
    this.json(status, errorBody(provider, status, message), headers);
  }

  json(status: number, body: object, headers: HeaderChanges = {}): void {
    this.text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
  }

  text(status: number, text: string, headers: HeaderChanges): void {
    if (this.hasBegun || this.#isGone()) return;
    const bytes = Buffer.from(text);
    this.#begin(status, undefined, answerHeaders([], { ...headers, "content-length": String(bytes.length) }), true);
    this.end(bytes);
  }

  /** Closes the connection, as the provider did, after everything that was sent. */
  reset(): void {
    const socket: Duplex | null = this.#response.socket;
    // Where it is destroyed, the thread at its other end could not tell this from a failure.
    if (socket !== null && !(socket instanceof Socket)) socket.end();
    else if (this.hasBegun && socket !== null) socket.destroySoon();
    else this.#response.destroy();
  }

  #begin(status: number, reason: string | undefined, headers: string[], hasDate: boolean): void {
    if (this.#isGone()) throw new ClientGone("The client went away.");
    this.#begunMs = performance.now();
    this.#response.sendDate = hasDate;
    if (reason === undefined) this.#response.writeHead(status, headers);
    else this.#response.writeHead(status, reason, headers);
  }

  #beginLike(incoming: IncomingMessage, changes: HeaderChanges): void {
    this.#begin(incoming.statusCode ?? 502, incoming.statusMessage, answerHeaders(incoming.rawHeaders, changes), false);
  }

  #isGone(): boolean {
    return this.signal.aborted || this.#response.destroyed;
  }

  #drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = (): void => settle(() => reject(new ClientGone("The client went away.")));
      const drained = (): void => settle(resolve);
      const timer = this.#idleMs === 0 ? undefined : setTimeout(() => this.#response.destroy(), this.#idleMs);
      const settle = (done: () => void): void => {
        clearTimeout(timer);
        this.#response.off("drain", drained).off("close", gone);
        done();
      };
      this.#response.once("drain", drained).once("close", gone);
    });
  }
}

/** Returns the next piece of an answer, undefined at its end. Rejects with `UpstreamFailure`. */
export async function nextChunk(chunks: AsyncIterator<Buffer>, signal: AbortSignal): Promise<Buffer | undefined> {
  try {
    const next = await chunks.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    throw failureOf(error, signal);
  }
}
