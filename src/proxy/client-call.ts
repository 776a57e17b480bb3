import type { IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import type { Readable } from "node:stream";
import type { ClientAnswer } from "./http/client-answer.ts";
import type { HeaderChanges } from "./http/headers.ts";
import type { UpstreamFailure } from "./http/upstreams.ts";
import { passedCall } from "./passed-call.ts";
import type { FailureStage } from "./proxy-event.ts";
import type { ProxyContext } from "./proxy-context.ts";
import type { Route } from "./route.ts";

/** One request of a client, what goes upstream for it, and what is recorded about it. */
export class ClientCall {
  readonly request: IncomingMessage;
  readonly answer: ClientAnswer;
  readonly route: Route;
  readonly context: ProxyContext;
  readonly path: string;
  readonly #startedMs = performance.now();
  /** Another thread answers it, and reports on it. */
  isForwarded = false;
  thread: string | undefined;
  receivedBytes = 0;
  sentBytes = 0;
  nothing: string | undefined;
  observedBytes: number | undefined;
  #requests = 0;

  constructor(context: ProxyContext, request: IncomingMessage, answer: ClientAnswer, route: Route) {
    this.context = context;
    this.request = request;
    this.answer = answer;
    this.route = route;
    this.path = route.target.split("?", 1)[0] ?? "/";
  }

  /** Sends a body upstream, with everything else of the request as it came from the client. */
  send(body: Buffer | Readable | undefined, changes: HeaderChanges): Promise<IncomingMessage> {
    this.#requests++;
    return this.context.upstreams.send({
      provider: this.route.provider,
      method: this.request.method ?? "GET",
      target: this.route.target,
      headers: this.request.rawHeaders,
      changes,
      body,
      signal: this.answer.signal,
    });
  }

  /** Sends the client's own bytes, and pipes back the provider's answer. */
  async passThrough(body: Buffer | Readable | undefined, nothing: string, changes: HeaderChanges = {}, requestChanges: HeaderChanges = {}): Promise<void> {
    this.nothing = nothing;
    if (Buffer.isBuffer(body)) this.receivedBytes = this.sentBytes = body.length;
    await this.answer.pipe(await this.send(body, requestChanges), changes);
  }

  failed(stage: FailureStage, error: unknown): void {
    this.context.failed(stage, error, this.path);
  }

  /** Answers with an error in the API's format if the provider sent no answer; closes the connection if the provider did. */
  unanswered(failure: UpstreamFailure): void {
    if (failure.kind === "aborted") return;
    if (this.answer.hasBegun || failure.kind === "reset") this.answer.reset();
    else this.answer.error(this.route.provider, failure.kind === "idle" ? 504 : 502, `palimpsest: ${failure.message}`);
  }

  /** Called once, at the end. */
  close(): void {
    const { answer, context, route } = this;
    if (this.isForwarded) return;
    const now = performance.now();
    const call = {
      provider: route.provider,
      api: route.api,
      method: this.request.method ?? "GET",
      path: this.path,
      status: answer.status,
      thread: this.thread,
      receivedBytes: this.receivedBytes,
      sentBytes: this.sentBytes,
      requests: this.#requests,
      nothing: this.nothing,
      observedBytes: this.observedBytes,
      totalMs: now - this.#startedMs,
      firstByteMs: answer.begunMs === undefined ? undefined : answer.begunMs - this.#startedMs,
    };
    context.happened({ type: "call", call });
    try {
      const passed = passedCall(this.request.headers, context.options, call);
      if (passed !== undefined) context.engine.passed(passed);
    } catch (error) {
      this.failed("engine", error);
    }
  }
}
