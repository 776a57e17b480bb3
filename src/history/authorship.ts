import { invalid } from "../errors/palimpsest-error.ts";
import { arrayOf, parseOptions, string, type FieldsOf } from "../errors/parse-options.ts";
import type { Message } from "../messages/message.ts";
import type { AppendOptions, CommitOptions } from "./history.ts";
import type { Authorship } from "./said-commits.ts";
import { time } from "./steps.ts";

export const AUTHORSHIP: FieldsOf<CommitOptions> = { author: string, reason: string };

/** Parses author and reason; the author is `byDefault` unless one is named. */
export function parseAuthorship(options: CommitOptions, byDefault: string): Authorship {
  const { author = byDefault, reason } = parseOptions(options, "options", AUTHORSHIP);
  return { author, ...(reason === undefined ? {} : { reason }) };
}

/** Parses the authorship of several messages, to be looked up by role and number. */
export function parseAuthors(options: AppendOptions, messages: number): (role: Message["role"], number: number) => Authorship {
  const { author, reason, times } = parseOptions(options, "options", { ...AUTHORSHIP, times: arrayOf(time) });
  if (times !== undefined && times.length !== messages) throw invalid("INVALID_OPTION", "options.times", `a time for each of ${messages} messages`, times);
  return (role, number) => ({
    author: author ?? role,
    ...(reason === undefined ? {} : { reason }),
    ...(times === undefined ? {} : { time: times[number] ?? 0 }),
  });
}
