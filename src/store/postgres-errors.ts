/** Error codes of a server that stops, starts or cannot be reached. */
const LOST_CONNECTION: ReadonlySet<string> = new Set([
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now: the server is starting or stopping
  "53300", // too_many_connections
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT", // of a socket file
  "EAI_AGAIN",
]);

/** pg has no codes for these. */
const LOST_MESSAGES = /^Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed/;

/** deadlock_detected, serialization_failure, lock_not_available: nothing was done, and the transaction can be retried. */
const LOST_RACE: ReadonlySet<string> = new Set(["40P01", "40001", "55P03"]);

/** unique_violation. */
const TAKEN = "23505";

export function isTaken(error: unknown): boolean {
  return codeOf(error) === TAKEN;
}

export function isLostConnection(error: unknown): boolean {
  const code = codeOf(error);
  return LOST_CONNECTION.has(code) || /^08/.test(code) || (error instanceof Error && LOST_MESSAGES.test(error.message));
}

export function isLostRace(error: unknown): boolean {
  return LOST_RACE.has(codeOf(error));
}

/** PostgreSQL's own messages are clear; network errors may have none. */
export function reasonOf(error: unknown): string {
  const said = error instanceof Error && error.message !== "" ? error.message : codeOf(error);
  return isLostConnection(error) ? `cannot connect, or the connection was lost (${said})` : said;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
