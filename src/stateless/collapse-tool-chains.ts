import { parseOptions } from "../errors/parse-options.ts";
import type { Message } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";
import { collapseRounds } from "../passes/collapse-rounds/collapse-rounds.ts";
import { COMPRESSOR_FIELDS, type CompressorConfig } from "./compressor-config.ts";
import { parseTargetedLog, renderOnce } from "./render-once.ts";

/** Returns the messages with one line in place of each old call and its result. */
export function collapseToolChains(messages: readonly Message[], config: CompressorConfig, target?: Partial<Target>): Message[] {
  const { collapseAfterTurns, collapseMultiToolTurns = false, collapseGistChars = 0 } = parseOptions(config, "config", COMPRESSOR_FIELDS);
  const call = parseTargetedLog(messages, target);
  if (collapseAfterTurns === undefined) return renderOnce(call, []);
  return renderOnce(
    call,
    collapseRounds(call.log, [], { ...call, afterTurns: collapseAfterTurns, multiToolTurns: collapseMultiToolTurns, gistChars: collapseGistChars }),
  );
}
