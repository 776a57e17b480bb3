import { callback, parseOptions, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { isRecord } from "../errors/is-record.ts";
import { MODELS, traitsOf } from "./models/model-table.ts";
import type { ModelInfo } from "./models/model.ts";
import { UNKNOWN_MODEL } from "./models/unknown-model.ts";
import { lineageOf } from "./names/lineage.ts";
import { modelKey } from "./names/model-key.ts";
import { overridden, parseOverride, type ModelOverride } from "./names/model-override.ts";
import { nearestRelative } from "./names/nearest-relative.ts";

export interface ModelOptions {
  /** Your own facts about models, by model name in any spelling. */
  readonly models?: Readonly<Record<string, ModelOverride>>;
  /** Called once per unknown model, with a sentence that says what is assumed instead. Default: prints a warning. */
  readonly onWarning?: OnWarning;
}

export type OnWarning = (message: string) => void;

const overrides: Field<Readonly<Record<string, ModelOverride>>> = {
  expected: "an object with an override per model",
  accepts: (value): value is Readonly<Record<string, ModelOverride>> => isRecord(value) && Object.values(value).every(isRecord),
};

export const MODEL_OPTION_FIELDS: FieldsOf<ModelOptions> = { models: overrides, onWarning: callback<OnWarning>("a function") };

/**
 * Returns what is known about a model. Accepts names as providers and gateways write them: with a prefix, a date, dots or dashes. A model
 * that is not in the table is treated like its nearest relative, an unrecognizable name like `UNKNOWN_MODEL`, each with one warning.
 */
export function modelInfo(model: string, options: ModelOptions = {}): ModelInfo {
  if (typeof model !== "string" || model.trim() === "") throw invalid("INVALID_INPUT", "model", "the name of a model", model);
  const { models = {}, onWarning = printWarning } = parseOptions(options, "options", MODEL_OPTION_FIELDS);
  const given = Object.entries(models).find(([name]) => modelKey(name) === modelKey(model));
  if (given === undefined) return listed(model) ?? guessed(model, onWarning);
  const [name, value] = given;
  const path = `options.models.${name}`;
  const override = parseOverride(value, path);
  const like = override.like ?? name;
  // No warning: the caller's override shows that the model is known to be special.
  const base = listed(like) ?? guessed(like, () => undefined);
  return { ...overridden(base, override, path), id: name };
}

const byKey: ReadonlyMap<string, ModelInfo> = new Map(MODELS.map((model) => [modelKey(model.id), model]));

function listed(model: string): ModelInfo | undefined {
  return byKey.get(modelKey(model));
}

function guessed(model: string, onWarning: OnWarning): ModelInfo {
  const relative = nearestRelative(lineageOf(model));
  if (relative === undefined) {
    warnOnce(model, `The model "${model}" is not known. Assuming prices of 1 (input), 5 (output), 0.1 (cache read), 1.25 and 2 (cache writes).`, onWarning);
    return { ...UNKNOWN_MODEL, id: model };
  }
  warnOnce(model, `The model "${model}" is not in the price table. Assuming that it costs and behaves like ${relative.id}.`, onWarning);
  return { ...relative, ...traitsOf(model, relative), id: model, assumptions: [`everything is the same as for ${relative.id}`, ...relative.assumptions] };
}

/** By listener, so that each is warned about a model once. */
const warned = new WeakMap<OnWarning, Set<string>>();

function warnOnce(model: string, message: string, onWarning: OnWarning): void {
  const models = warned.get(onWarning) ?? new Set();
  warned.set(onWarning, models);
  if (models.has(model)) return;
  models.add(model);
  onWarning(message);
}

function printWarning(message: string): void {
  console.warn(message);
}
