/** What a call does to a file. `write` creates it or replaces its content; `ensure` only creates it. */
export interface FileOperation {
  readonly path: string;
  readonly action: "write" | "ensure" | "change" | "read" | "delete";
}
