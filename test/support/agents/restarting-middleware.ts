import type { PalimpsestMiddleware } from "../../../src/agent/clients/ai-sdk.ts";

/** A middleware that is another one at each call, as if the process had been restarted. `open` makes it; it is closed when its call is over. */
export function restartingMiddleware(open: () => PalimpsestMiddleware): Omit<PalimpsestMiddleware, "palimpsest"> {
  return {
    specificationVersion: "v4",
    wrapGenerate: async (call) => {
      const middleware = open();
      const result = await middleware.wrapGenerate(call);
      await middleware.palimpsest.close();
      return result;
    },
    wrapStream: async (call) => {
      const middleware = open();
      const result = await middleware.wrapStream(call);
      const closing = new TransformStream({ flush: () => middleware.palimpsest.close() });
      return { ...result, stream: result.stream.pipeThrough(closing) };
    },
  };
}
