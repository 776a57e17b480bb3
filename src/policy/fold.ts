// For the front end and threads, until they import it from where it is.
export type { Step } from "./step.ts";
