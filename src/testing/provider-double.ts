import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRepeatedIds, createUniqueIds, type AnswerIds } from "./answer-ids.ts";
import { createAnthropicProtocol } from "./anthropic/anthropic-protocol.ts";
import { parseDoubleOptions, parseScript, type ParsedOptions, type ProviderDoubleOptions } from "./double-options.ts";
import { createChatProtocol } from "./openai/chat-protocol.ts";
import { createResponsesProtocol } from "./openai/responses-protocol.ts";
import type { Fault, Protocol, ProtocolOptions, Script } from "./protocol.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { createRequestHandler } from "./server/request-handler.ts";
import { createScriptPlayer } from "./server/script-player.ts";

/** A local provider that plays a script, and refuses what real providers refuse. */
export interface ProviderDouble extends AsyncDisposable {
  /** The `baseURL` for Anthropic's SDK; for OpenAI's, append "/v1". */
  readonly url: string;
  /** All requests, in the order in which they were answered. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that broke a rule of the provider. */
  readonly rejected: readonly RecordedRequest[];
  /** Plays this script from its start, from now on. */
  play(script: Script): void;
  /** Makes the next `times` requests for a response fail. This uses no turns of the script. */
  failNext(fault: Fault, times?: number): void;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Throws `INVALID_OPTION`, or the system's error for the port. */
export async function startProviderDouble(options: ProviderDoubleOptions): Promise<ProviderDouble> {
  const parsed = parseDoubleOptions(options);
  const requests: RecordedRequest[] = [];
  const faults: Fault[] = [];
  const player = createScriptPlayer(parsed.script);
  const ids = parsed.ids === "unique" ? createUniqueIds() : createRepeatedIds();
  const handle = createRequestHandler({
    protocols: protocolsFor(parsed, ids),
    answerTo: ids.answerTo,
    player,
    faults,
    record: (request) => requests.push(request),
    now: parsed.now,
    latencyMs: parsed.latencyMs,
  });
  const server = createServer((request, response) => {
    // A client that disconnects during its request is not a failure of the double.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(parsed.port, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get rejected() {
      return requests.filter(({ rule }) => rule !== undefined);
    },
    play: (script) => player.replace(parseScript(script)),
    failNext: (fault, times = 1) => void faults.push(...Array.from({ length: times }, () => fault)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function protocolsFor({ tokensOf, windowTokens, rules }: ParsedOptions, { newId }: AnswerIds): readonly Protocol[] {
  const options: ProtocolOptions = { tokensOf, windowTokens, newId };
  return [createAnthropicProtocol({ ...options, ...rules, verifiesSignatures: true }), createChatProtocol(options), createResponsesProtocol(options)];
}
