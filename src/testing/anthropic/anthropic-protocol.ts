import type { Protocol, ProtocolOptions, Rejection } from "../protocol.ts";
import { errorBody, errorEvent, rejection } from "./anthropic-errors.ts";
import { isThought, readApiRequest, type ApiRequest, type Block, type Headers, type Json } from "./api-request.ts";
import { canonicalJson } from "./canonical-json.ts";
import { withoutMarkers } from "./cache-markers.ts";
import { composeContent, composeMessage } from "./compose-message.ts";
import { countTokens, createPromptCache } from "./prompt-cache.ts";
import type { Refusal } from "./refusal.ts";
import { blockRefusals } from "./rules/blocks.ts";
import { cacheRefusals } from "./rules/cache.ts";
import { pairRefusals } from "./rules/calls-and-results.ts";
import { compactionRefusals } from "./rules/compaction.ts";
import { serverToolRefusals } from "./rules/server-tools.ts";
import { maxTokensRefusals, shapeRefusals } from "./rules/shape.ts";
import { sizeRefusals } from "./rules/size.ts";
import { prefillRefusals, structureRefusals } from "./rules/structure.ts";
import { thinkingRefusals } from "./rules/thinking.ts";
import { toolDefinitionRefusals } from "./rules/tool-definitions.ts";
import { seeRequest } from "./see-request.ts";
import { streamEvents } from "./stream-events.ts";
import { createThinkingLedger } from "./thinking-ledger.ts";

export interface AnthropicOptions extends ProtocolOptions {
  /** A4.8 */
  readonly bindsThinking: boolean;
  /** A1.8 */
  readonly prefill: boolean;
  readonly minimumCacheTokens: number;
  /** A4.1, A4.7, A4.8: false accepts every signature, for transcripts that the double did not sign. */
  readonly verifiesSignatures: boolean;
}

const MEGABYTE = 1024 * 1024;

export function createAnthropicProtocol(options: AnthropicOptions): Protocol {
  const { tokensOf, newId } = options;
  const ledger = createThinkingLedger(options.bindsThinking);
  const cache = createPromptCache(options.minimumCacheTokens, tokensOf);
  const paused = new Set<string>();
  /** A request that is checked is answered next. Its headers matter to the check only. */
  const requests = new WeakMap<Json, ApiRequest>();

  function* refusals(body: Json, headers: Headers): Generator<Refusal> {
    yield* shapeRefusals(body);
    const request = readApiRequest(body, headers);
    requests.set(body, request);
    yield* toolDefinitionRefusals(request);
    yield* structureRefusals(request);
    yield* blockRefusals(request);
    yield* pairRefusals(request);
    yield* serverToolRefusals(request);
    yield* compactionRefusals(request);
    yield* thinkingRefusals(request);
    yield* prefillRefusals(request, options.prefill, (blocks) => paused.has(wordsOf(blocks)));
    if (options.verifiesSignatures) yield* ledger.refusals(request);
    yield* cacheRefusals(request);
    yield* sizeRefusals(request, countTokens(asRead(request), tokensOf), options.windowTokens);
  }

  function asRead(request: ApiRequest): ApiRequest {
    return ledger.withoutDropped(request).request;
  }

  function first(found: Iterable<Refusal>): Rejection | undefined {
    for (const refusal of found) return rejection(refusal, newId("req_"));
    return undefined;
  }

  return {
    name: "anthropic",
    path: "/v1/messages",
    maxBodyBytes: 32 * MEGABYTE,
    check: (body, headers) => first(maxTokensRefusals(body)) ?? first(refusals(body, headers)),
    count: {
      path: "/v1/messages/count_tokens",
      check: (body, headers) => first(refusals(body, headers)),
      answer: (body) => ({ input_tokens: countTokens(asRead(readApiRequest(body, {})), tokensOf) }),
    },
    read: seeRequest,
    answer(body, turn, nowMs) {
      const request = requests.get(body) ?? readApiRequest(body, {});
      const { request: effective, dropped } = ledger.withoutDropped(request);
      const counts = cache.use(effective, nowMs);
      const content = composeContent(request, turn, ledger, newId);
      if (turn.stop === "pause") paused.add(wordsOf([...openTurn(request), ...content]));
      const outputTokens = turn.outputTokens ?? content.reduce((sum, block) => sum + tokensOf(block), 0);
      const json = composeMessage({ id: newId("msg_"), request, content, turn, counts, outputTokens, dropped });
      return { json, events: streamEvents(json), counts };
    },
    errorBody: (status) => errorBody(status, newId("req_")),
    errorEvent: (status) => errorEvent(status, newId("req_")),
  };
}

/** Returns the text of a turn, by which it is recognized when it comes back to be resumed. */
function wordsOf(blocks: readonly Block[]): string {
  return canonicalJson(blocks.filter((block) => !isThought(block)).map(withoutMarkers));
}

/** Returns the turn that an answer continues, if the request ends in the middle of it. */
function openTurn({ turns }: ApiRequest): readonly Block[] {
  const last = turns.at(-1);
  return last?.role === "assistant" ? last.blocks.map(({ block }) => block) : [];
}
