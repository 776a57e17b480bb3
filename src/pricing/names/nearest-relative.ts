import { MODELS } from "../models/model-table.ts";
import type { ModelInfo } from "../models/model.ts";
import { lineageOf, type Lineage } from "./lineage.ts";

const RELATIVES: readonly (Lineage & { readonly model: ModelInfo })[] = MODELS.map((model) => ({ model, ...lineageOf(model.id) }));

/** Returns the model of the table with the nearest version, preferably of the same line. Of two equally near ones, the older. */
export function nearestRelative(wanted: Lineage): ModelInfo | undefined {
  const family = RELATIVES.filter(({ provider }) => provider === wanted.provider);
  const line = family.filter((relative) => relative.line === wanted.line);
  const distance = (relative: Lineage): number => Math.abs(relative.version - wanted.version);
  const [nearest] = (line.length > 0 ? line : family).sort((a, b) => distance(a) - distance(b) || a.version - b.version);
  return nearest?.model;
}
