import type { Lineage } from "../names/lineage.ts";
import type { ModelInfo } from "./model.ts";

/** G, calibration: characters per o200k token divided by characters per token of the older Claude vocabulary; the mean over kinds of text. */
const LEGACY_TOKEN_FACTOR = 1.1;
/** G: the tokenizer from Claude 4.7 on, on recorded Claude Code sessions. */
const TOKEN_FACTOR_FROM_4_7 = LEGACY_TOKEN_FACTOR * 1.325;

/** Returns what follows from the version alone, even for a Claude that is not in the table. */
export function claudeTraits({ line, version }: Lineage): Pick<ModelInfo, "thinking" | "prefill" | "tokenFactor"> {
  return {
    thinking: {
      // A4.11: before 3.7 there was no thinking; "adaptive" is refused up to 4.5, "enabled" from 4.7 on.
      mode: version < 37 ? "off" : version <= 45 ? "manual" : "adaptive",
      // §0.1, A4.8: Fable 5.1 was the first. Higher numbers came with it or later, so an unknown newer Claude counts as
      // binding: hiding thinking costs little, showing it under a changed prefix is a 400.
      bindsPrefix: version > 50,
      // F: Opus from 4.5, the others from 4.6 on.
      keepsEarlierTurns: version >= (line === "opus" ? 45 : 46),
    },
    // A1.8; Mythos Preview has no number, counts as the newest, and refuses it too.
    prefill: version <= 45,
    tokenFactor: version <= 46 ? LEGACY_TOKEN_FACTOR : TOKEN_FACTOR_FROM_4_7,
  };
}
