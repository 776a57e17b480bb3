import type { Sent } from "../front-end/exchange.ts";
import { openStore } from "#open-store";
import { createFrontEnd, type Transport } from "../front-end/front-end.ts";
import type { FrontEndOptions } from "../front-end/front-end-options.ts";
import { tooLongIn } from "../front-end/rescue.ts";
import { aiSdkWire } from "../wires/ai-sdk/ai-sdk-wire.ts";
import { palimpsestOf, type Palimpsest } from "./wrapped.ts";

export type { FrontEndEvent } from "../front-end/front-end-event.ts";
export type { FrontEndOptions } from "../front-end/front-end-options.ts";
export type { CallMetrics } from "../front-end/metrics.ts";
export { palimpsestPrepareStep, type PrepareStep, type PrepareStepOptions, type RecallOfAiSdk } from "./prepare-step.ts";
export type { Palimpsest } from "./wrapped.ts";

/** The part of an AI SDK language model that is used here. */
interface Model<Options, Result, Stream> {
  readonly modelId: string;
  readonly provider?: string;
  doGenerate(options: Options): PromiseLike<Result>;
  doStream(options: Options): PromiseLike<Stream>;
}

interface Call<Options, Result, Stream> {
  readonly params: Options;
  readonly model: Model<Options, Result, Stream>;
}

/** A middleware for the AI SDK's `wrapLanguageModel`. Its types follow the model that it wraps. */
export interface PalimpsestMiddleware extends Palimpsest {
  readonly specificationVersion: "v4";
  wrapGenerate<Options extends object, Result extends object, Stream extends StreamResult>(call: Call<Options, Result, Stream>): Promise<Result>;
  wrapStream<Options extends object, Result extends object, Stream extends StreamResult>(call: Call<Options, Result, Stream>): Promise<Stream>;
}

interface StreamResult {
  /** A stream of the model's own parts. */
  readonly stream: ReadableStream;
}

/** Keeps a model's conversations small: `wrapLanguageModel({ model, middleware: palimpsestMiddleware() })`. */
export function palimpsestMiddleware(options: FrontEndOptions = {}): PalimpsestMiddleware {
  const frontEnd = createFrontEnd(options, openStore);
  return {
    specificationVersion: "v4",
    ...palimpsestOf(frontEnd),
    wrapGenerate: async <Options extends object, Result extends object, Stream extends StreamResult>({ params, model }: Call<Options, Result, Stream>) => {
      const sent = await frontEnd.send(aiSdkWire(model.modelId, model.provider), params, transportOf(model));
      if (!("answer" in sent)) throw sent.refused;
      return sent.answer as Result;
    },
    wrapStream: async <Options extends object, Result extends object, Stream extends StreamResult>({ params, model }: Call<Options, Result, Stream>) => {
      let first: Stream | undefined;
      const sent = await frontEnd.stream(
        aiSdkWire(model.modelId, model.provider),
        params,
        transportOf(model, (result) => void (first ??= result)),
      );
      if (!("answer" in sent)) throw sent.refused;
      // The other fields (request, response) are those of the first request.
      return { ...(first as Stream), stream: ReadableStream.from(sent.answer) };
    },
  };
}

function transportOf<Options extends object, Result extends object, Stream extends StreamResult>(
  model: Model<Options, Result, Stream>,
  onStream: (result: Stream) => void = () => undefined,
): Transport<object, object, object> {
  return {
    send: (params) => tried(async () => model.doGenerate(params as Options)),
    stream: (params) =>
      tried(async () => {
        const result = await model.doStream(params as Options);
        onStream(result);
        return result.stream as AsyncIterable<object>;
      }),
  };
}

/** Catches refusals that say "too long" or may be about our view. All other errors go to the SDK, which may retry. */
async function tried<T>(send: () => Promise<T>): Promise<Sent<T>> {
  try {
    return { answer: await send() };
  } catch (error) {
    const {
      statusCode: status,
      responseBody = "",
      message = "",
    } = error as { readonly statusCode?: number; readonly responseBody?: string; readonly message?: string };
    const said = `${message}\n${responseBody}`;
    const tooLong = tooLongIn(said);
    if (tooLong === undefined && status !== 400) throw error;
    return { refused: error, tooLong, status, said };
  }
}
