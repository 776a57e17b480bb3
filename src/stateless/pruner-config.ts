import { count, oneOf, parseOptions, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { PrunerStrategy } from "../passes/prune-turns/prune-turns.ts";

export interface PrunerConfig {
  readonly strategy: PrunerStrategy;
  /** How many messages stay. Unset: all of them. */
  readonly maxTurns?: number;
}

export const PRUNER_FIELDS: FieldsOf<PrunerConfig> = { strategy: oneOf("sliding-window", "summarize", "importance"), maxTurns: count };

export interface ParsedPrunerConfig {
  readonly strategy: PrunerStrategy;
  readonly maxTurns: number;
}

/** `path`: the name of the config in errors. */
export function parsePrunerConfig(config: PrunerConfig, path = "config"): ParsedPrunerConfig {
  const { strategy, maxTurns = Infinity } = parseOptions(config, path, PRUNER_FIELDS);
  if (strategy === undefined) throw invalid("INVALID_OPTION", `${path}.strategy`, PRUNER_FIELDS.strategy.expected, undefined);
  return { strategy, maxTurns };
}
