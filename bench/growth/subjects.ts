/** Functions that must take at most linear time on any input. */
import { createThread } from "../../src/agent/index.ts";
import { tidy } from "../../src/content/tidy/tidy.ts";
import { exactTokens } from "../../src/exact-tokens/exact-tokens.ts";
import { estimateTokens } from "../../src/index.ts";
import { compact } from "../../src/conversation/index.ts";
import { extractive, ledgerOf, transcriptText } from "../../src/summarize/index.ts";
import { LARGE_SESSIONS } from "../../test/support/large-sessions.ts";

export interface Subject {
  readonly name: string;
  /** The smaller of the two sizes. */
  readonly size: number;
  /** Returns the function to time, on an input of that size. */
  readonly prepare: (size: number) => () => unknown;
}

const INSTRUCTIONS: readonly string[] = [
  "",
  'errors in "a" and the exit code of stderr',
  "filenames and line numbers only",
  "first 9 lines and last 9 lines of stdout",
];

/** Texts of about that many characters. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  "one line of words": (length) => "word1 ".repeat(length / 6),
  "one line without a break": (length) => "a".repeat(length),
  lines: (length) => Array.from({ length: length / 40 }, (_, index) => `line ${index} of the output, error? ${index * 7}`).join("\n"),
  "blank lines": (length) => "\n".repeat(length),
  "deep JSON": (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  "deep JSON that does not end": (length) => '{"a":'.repeat(length / 5),
  "JSON lines": (length) => '{"id":1,"message":"hello","error":null}\n'.repeat(length / 40),
  "hits of a search": (length) => Array.from({ length: length / 25 }, (_, index) => `src/file${index}.ts:${index}: x`).join("\n"),
  "dots and dashes": (length) => "a.-".repeat(length / 3),
  slashes: (length) => "/".repeat(length),
  "carriage returns": (length) => "a\r".repeat(length / 2),
  tags: (length) => "<div><p>".repeat(length / 8),
  quotes: (length) => `"'\``.repeat(length / 3),
  emoji: (length) => "😀".repeat(length / 2),
  "parts of a conversation": (length) =>
    transcriptText(
      Array.from({ length: length / 100 }, (_, index) => [
        { role: "assistant" as const, content: [{ type: "tool_use", id: `c${index}`, name: "bash", input: { command: `sed -i s/a/b/ file${index}` } }] },
        { role: "user" as const, content: [{ type: "tool_result", tool_use_id: `c${index}`, content: `done ${index}\n`, is_error: true }] },
      ]).flat(),
    ),
};

function summaries(): Subject[] {
  return Object.entries(TEXTS).map(([name, make]) => ({
    name: `summary of ${name}`,
    size: 250_000,
    prepare: (size) => {
      const text = make(size);
      return async () => {
        for (const instructions of INSTRUCTIONS) await extractive()({ text, system: "", instructions });
      };
    },
  }));
}

function policies(): Subject[] {
  return Object.entries(LARGE_SESSIONS).flatMap(([name, make]) => [
    {
      name: `policy on ${name}`,
      size: 3_000,
      prepare: (size) => {
        const messages = make(size);
        return () => compact(messages, { preset: "tight", minBatchTokens: 0, tailTokens: 0, tailTurns: 2 });
      },
    },
    {
      name: `budget on ${name}`,
      size: 3_000,
      prepare: (size) => {
        const messages = make(size);
        return () => compact(messages, { budget: size * 20 });
      },
    },
  ]);
}

const SHELL = ["'", '"', "`", "$(", "(", "<<a\n", ">", "1", "\\", "a=b ", "--- x", "rm -", "bash -c '", "cd a;", "\f", "*** Add File: a\n"];

function ledgers(): Subject[] {
  return SHELL.map((part) => ({
    name: `ledger of ${JSON.stringify(part)}`,
    size: 100_000,
    prepare: (size) => {
      const command = part.repeat(size / part.length);
      const call = (id: string, name: string, input: object) => [
        { role: "assistant" as const, content: [{ type: "tool_use", id, name, input }] },
        { role: "user" as const, content: [{ type: "tool_result", tool_use_id: id, content: "" }] },
      ];
      const log = [
        ...call("a", "Bash", { command }),
        ...call("b", "apply_patch", { input: `*** Begin Patch\n${command}` }),
        ...call("c", "apply_patch", { input: command }),
      ];
      return () => ledgerOf(log);
    },
  }));
}

const UNITS: Readonly<Record<string, string>> = {
  letters: "a",
  "words without spaces": "lorem",
  spaces: " ",
  newlines: "\n",
  digits: "1",
  Chinese: "的一是在不了有和人这",
  emoji: "😀",
  "lone surrogates": "\ud83d",
};

function counts(): Subject[] {
  return Object.entries(UNITS).flatMap(([name, unit]) => [
    { name: `estimate of ${name}`, size: 500_000, prepare: (size: number) => onText(unit, size, estimateTokens) },
    { name: `count of ${name}`, size: 50_000, prepare: (size: number) => onText(unit, size, exactTokens) },
  ]);
}

function onText(unit: string, size: number, count: (text: string) => number): () => number {
  const text = unit.repeat(size / unit.length);
  return () => count(text);
}

const OUTPUTS: Readonly<Record<string, (size: number) => string>> = {
  "one line": (size) => "x".repeat(size),
  "carriage returns": (size) => "10%\r".repeat(size / 4),
  "open commands to a terminal": (size) => "\u001b]8;;".repeat(size / 5),
  "open brackets": (size) => "[\n".repeat(size / 2),
  "deep JSON": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "open strings": (size) => '{"\n'.repeat(size / 3),
  spaces: (size) => `${" ".repeat(size / 20)}x\n`.repeat(20),
  "short lines": (size) => "a\nb\n".repeat(size / 4),
};

function tidied(): Subject[] {
  return Object.entries(OUTPUTS).map(([name, make]) => ({
    name: `tidying of ${name}`,
    size: 100_000,
    prepare: (size) => {
      const text = make(size);
      return () => {
        for (const kind of ["log", "text", "json", "code", "diff"] as const) tidy(text, kind);
      };
    },
  }));
}

function requests(): Subject[] {
  return [
    {
      name: "request of a long thread",
      size: 500,
      prepare: (size) => {
        const thread = createThread({ compress: { maxToolResultTokens: 40 }, collapse: { collapseAfterTurns: 200 } });
        thread.user("q");
        for (let id = 1; id <= size; id++) {
          thread.assistant({
            content: [
              { type: "thinking", thinking: `t${id}`, signature: "s" },
              { type: "tool_use", id: `${id}`, name: "read", input: {} },
            ],
          });
          thread.toolResults([{ type: "tool_result", tool_use_id: `${id}`, content: "0123456789 ".repeat(60) }]);
        }
        return () => thread.request();
      },
    },
  ];
}

export const SUBJECTS: readonly Subject[] = [...summaries(), ...policies(), ...ledgers(), ...counts(), ...tidied(), ...requests()];
