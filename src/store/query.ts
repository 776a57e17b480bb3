/** Runs one statement that reads, in one state of the database. Each `$n` is used once, in order. */
export type Query = (sql: string, ...values: (string | number)[]) => Promise<readonly object[]>;
