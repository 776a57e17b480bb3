import { addTest } from "./chapters/add-test.ts";
import { breakOnPurpose } from "./chapters/break-on-purpose.ts";
import { findOut } from "./chapters/find-out.ts";
import { tryOut } from "./chapters/try-out.ts";
import { user, type Session } from "./record-session.ts";

/** The whole session. It ends with a question, so that the recording is a complete next request. */
export function* session(): Session {
  yield* findOut();
  yield* tryOut();
  yield* addTest();
  yield* breakOnPurpose();
  yield user("Good, that is what I wanted to see. Write the commit message for it: one line, then a short paragraph that says why.");
}
