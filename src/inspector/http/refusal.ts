import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { ErrorAnswer } from "../answers.ts";

/** An error as the page shows it: what happened, what it means, and what to do. */
export interface Refusal {
  readonly status: number;
  readonly body: ErrorAnswer;
}

class RefusedRequest extends PalimpsestError {
  readonly refusal: Refusal;

  constructor(refused: Refusal) {
    super("INVALID_INPUT", refused.body.error.message, { path: "request", expected: "something that is there", found: refused.body.error.code });
    this.refusal = refused;
  }
}

export function refusal(status: number, code: string, message: string, remedy: string, meaning?: string): PalimpsestError {
  return new RefusedRequest({ status, body: { error: { code, message, ...(meaning === undefined ? {} : { meaning }), remedy } } });
}

const GO_ON = "Agents keep working: what the proxy sends does not depend on this page.";

/** Turns any error into a refusal. Contains nothing from a conversation. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusedRequest) return error.refusal;
  if (!PalimpsestError.isInstance(error))
    return answer(
      500,
      "INTERNAL",
      "Palimpsest failed while reading this.",
      "Try again. If it keeps failing, run palimpsest with --debug and report what it prints.",
      GO_ON,
    );
  const { code, message, data } = error;
  switch (code) {
    case "SCHEMA_NEWER":
      return answer(
        503,
        code,
        `This store was written by a newer Palimpsest (version ${String(data["found"])} of its schema, this one reads up to ${String(data["known"])}).`,
        "Update with npm i -g palimpsest. Nothing was changed.",
      );
    case "STORE_FAILED":
      return answer(
        503,
        isLocked(error) ? "STORE_LOCKED" : code,
        isLocked(error) ? `${String(data["store"])} is locked by another process.` : `The store cannot be read: ${message}`,
        isLocked(error)
          ? "Wait for the other process to end, or stop it. Nothing is lost."
          : "Check that the file or database exists and can be read, then try again.",
        GO_ON,
      );
    case "THREAD_UNKNOWN":
    case "COMMIT_UNKNOWN":
      return answer(404, code, message, "It may have been forgotten. Go back to all conversations.");
    default:
      return answer(500, code, message, "Try again, or look at another call.", GO_ON);
  }
}

function isLocked(error: PalimpsestError): boolean {
  return /lock|busy/i.test(error.message) || (error.cause instanceof Error && /lock|busy/i.test(error.cause.message));
}

function answer(status: number, code: string, message: string, remedy: string, meaning?: string): Refusal {
  return { status, body: { error: { code, message, ...(meaning === undefined ? {} : { meaning }), remedy } } };
}
