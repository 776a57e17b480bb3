/** What a statement of a gap counts. */
export type Noun = "line" | "record" | "field" | "value" | "character";

export const NO_HEADING = -1;

/** The limit of a chain of headings: what lies deeper is shown with the deepest of these. */
export const MOST_HEADINGS = 8;
