/** Why a request is refused: the rule of the table, and the provider's own words. */
export interface Refusal {
  readonly rule: string;
  readonly message: string;
}

/** The rule name for requests that violate the API's schema, if the table has no rule for it. */
export const SHAPE = "shape";

export function isBlank(text: string): boolean {
  return text.trim() === "";
}
