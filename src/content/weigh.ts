/** What a unit is worth without a single name or number, beside one that is full of them. */
const BARE = 0.03;
const FULL = 6;
const EXPONENT = 0.6;

/** How much of what a form is worth above the ordinary does not depend on its words. */
const BY_FORM_ALONE = 0.3;

/**
 * The weight of a unit, from what its form is worth (1 is ordinary, 0 nothing, 2 what no reader may miss) and from its
 * words. Fitted to the corpus: which lines an agent refers to later depends on the names in them more than on anything else.
 */
export function weigh(form: number, words: number): number {
  return form * (BARE + (1 - BARE) * Math.min(1, words / FULL) ** EXPONENT) + Math.max(0, form - 1) * BY_FORM_ALONE;
}
