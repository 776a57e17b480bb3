import { guardMethods } from "../errors/guarded.ts";
import { isRecord } from "../errors/is-record.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { parseBlock, parseMessages } from "../messages/parse-messages.ts";
import type { CheckOptions, Codec } from "./codec.ts";

/**
 * Wraps a codec for callers, so that invalid messages are refused with their path. `decode` checks everything anyway; the other
 * functions are fast because they do not, so they check only after a failure.
 */
export function guardedCodec<Native extends object, NativeResult extends object>(codec: Codec<Native, NativeResult>): Codec<Native, NativeResult> {
  const { encode, encodeResult, check, decode } = codec;
  const careful: Codec<Native, NativeResult> = {
    ...codec,
    encode: (messages) => explained(() => encode(messages), () => parseMessages(messages)), // prettier-ignore
    encodeResult: (block) => explained(() => encodeResult(block), () => parseBlock(block, "block")), // prettier-ignore
    check: (messages, options) => explained(() => check(messages, options), () => (parseCheckOptions(options), decode(messages))), // prettier-ignore
  };
  return guardMethods(careful, {
    decode: ["messages"],
    encode: ["messages"],
    check: ["messages", "options"],
    decodeResult: ["result"],
    encodeResult: ["block"],
  });
}

/** If `run` throws, `explain` throws a better error if the arguments are at fault. */
function explained<T>(run: () => T, explain: () => unknown): T {
  try {
    return run();
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) explain();
    throw error;
  }
}

function parseCheckOptions(options: CheckOptions | undefined): void {
  if (options !== undefined && !isRecord(options)) throw invalid("INVALID_OPTION", "options", "an object", options);
}
