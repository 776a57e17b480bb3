/** What a call does to a file. `write` makes it, or puts other content into it; `ensure` only makes it. */
export interface FileOperation {
  readonly path: string;
  readonly action: "write" | "ensure" | "change" | "read" | "delete";
}
