export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | boolean | Uint8Array)[];

/** Runs one statement and returns its rows. */
export type Run = (sql: string, ...values: SqlValue[]) => Promise<object[]>;
