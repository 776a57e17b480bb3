import { count, oneOf, parseOptions, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { PrunerStrategy } from "../passes/prune-turns/prune-turns.ts";

export interface PrunerConfig {
  readonly strategy: PrunerStrategy;
  /** A turn is a message. Unset: all stay. */
  readonly maxTurns?: number;
}

export const PRUNER_FIELDS: FieldsOf<PrunerConfig> = { strategy: oneOf("sliding-window", "summarize", "importance"), maxTurns: count };

export interface ParsedPrunerConfig {
  readonly strategy: PrunerStrategy;
  readonly maxTurns: number;
}

export function parsePrunerConfig(config: PrunerConfig): ParsedPrunerConfig {
  const { strategy, maxTurns = Infinity } = parseOptions(config, "config", PRUNER_FIELDS);
  if (strategy === undefined) throw invalid("INVALID_OPTION", "config.strategy", PRUNER_FIELDS.strategy.expected, undefined);
  return { strategy, maxTurns };
}
