/** `docs/errors.md`, from the table of error codes and what to do about each. */
import { ERROR_CODES, type ErrorCode } from "../../src/errors/palimpsest-error.ts";
import { WHAT_TO_DO } from "../../src/errors/what-to-do.ts";

export function errorsPage(): string {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  return [
    "# Error codes",
    `Every failure of this package is a \`PalimpsestError\` with a \`code\` and \`data\`. A code is never renamed, and never used for another
failure: test for the code, not for the message.`,
    `\`\`\`ts
import { compactThread, PalimpsestError } from "palimpsest";

try {
  send(compactThread(messages, [{ from: "k3v9qa", summary: "Read the configuration; the port is 8080." }]));
} catch (error) {
  if (PalimpsestError.isInstance(error) && error.code === "CHECKPOINT_UNKNOWN") console.error(error.data.checkpoints);
  else throw error;
}
\`\`\``,
    "This page is written by `npm run docs` from `src/errors`. Change the tables there, not the page.",
    codes.map((code) => `- [\`${code}\`](#${code.toLowerCase()})`).join("\n"),
    ...codes.flatMap((code) => {
      const { when, data } = parseMeaning(code);
      return [`## \`${code}\``, when, `**What to do:** ${WHAT_TO_DO[code]}`, `**In \`data\`:** ${data}`];
    }),
  ].join("\n\n");
}

/** "What happened. data: what it holds." */
function parseMeaning(code: ErrorCode): { readonly when: string; readonly data: string } {
  const [when, data, ...rest] = ERROR_CODES[code].split(" data: ");
  if (when === undefined || data === undefined || rest.length > 0) throw new Error(`${code}: expected "What happened. data: what it holds."`);
  return { when, data: data === "none." ? "nothing." : data };
}
