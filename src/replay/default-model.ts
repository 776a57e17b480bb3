/** Where neither the file nor the caller names a model. */
export const DEFAULT_MODEL = "claude-sonnet-5";
