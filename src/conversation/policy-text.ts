import { invalid } from "../errors/palimpsest-error.ts";
import { parsePolicies, type PolicyChoice } from "../policy/shortening-options.ts";

/**
 * Parses a policy from a command line or a settings file: a preset's name, or JSON of its options or of a list. `path` is its name in
 * errors. Policies that are functions have no such form.
 */
export function parsePolicyText(text: string, path: string): PolicyChoice {
  const choice = (/^\s*[[{"]/.test(text) ? parseJson(text, path) : text) as PolicyChoice;
  parsePolicies(choice, path);
  return choice;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("INVALID_OPTION", path, "a preset's name, or JSON of options or of a list of policies", text);
  }
}
