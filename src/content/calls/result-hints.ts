import { commandOf, fieldsOf, firstString, PATH_KEYS } from "./input-fields.ts";

/** The call that a text answers. */
export interface AnsweredCall {
  readonly tool: string;
  readonly input: unknown;
}

/** What a call reveals about the text of its result. */
export interface ResultHints {
  /** True if the text is the content of a file, so that an edit needs its exact bytes. */
  readonly isFileRead: boolean;
  /** The extension of the file in lower case, or "". */
  readonly extension: string;
  /** The programs of a shell command that wrote the text, such as "grep" or "git diff"; none for other tools. */
  readonly programs: readonly string[];
  readonly isSearch: boolean;
  readonly isListing: boolean;
  readonly isDiff: boolean;
  readonly isTest: boolean;
}

const READ_TOOL = /(?:^|[_.-])(?:read|view|open|cat|show)(?:$|[_.-])|readfile|viewfile|str_replace_editor|str_replace_based_edit_tool/i;
const SEARCH_TOOL = /grep|search_?(?:files|code|dir|file_content)|ripgrep|find_?string/i;
const LISTING_TOOL = /glob|(?:^|_)ls$|list_?(?:files|dir|directory)|find_?files|directory_?tree/i;

const READERS: ReadonlySet<string> = new Set(["cat", "sed", "head", "tail", "nl", "bat", "less", "more"]);
const SEARCHERS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack", "git grep"]);
const LISTERS: ReadonlySet<string> = new Set(["ls", "find", "tree", "fd", "git ls-files", "git status", "du"]);
const DIFFERS: ReadonlySet<string> = new Set([
  "diff",
  "colordiff",
  "interdiff",
  "git diff",
  "git show",
  "git log",
  "git stash",
  "git format-patch",
  "git range-diff",
  "svn diff",
  "svn log",
  "hg diff",
  "hg log",
  "hg export",
]);
const DIFF_TOOL = /(?:^|[_.-])diff(?:$|[_.-])/i;
const TESTERS =
  /^(?:pytest|jest|vitest|mocha|ava|tap|ctest|rspec|phpunit|tox|nox|go test|cargo test|cargo nextest|npm test|npm run|pnpm test|pnpm run|yarn test|bun test|bun run|make test|make check|mvn test|gradle test|dotnet test|deno test|node --test|python -m|python3 -m|runtests.py|mise run)$/;
const TWO_WORDS: ReadonlySet<string> = new Set([
  "git",
  "svn",
  "hg",
  "go",
  "cargo",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "make",
  "mvn",
  "gradle",
  "dotnet",
  "deno",
  "docker",
  "kubectl",
  "node",
  "python",
  "python3",
  "mise",
  "npx",
]);

/** Longer commands write files; their first characters are enough. */
const LONGEST_COMMAND = 2000;

export function resultHints({ tool, input }: AnsweredCall): ResultHints {
  const fields = fieldsOf(input);
  const path = firstString(fields, PATH_KEYS);
  const command = commandOf(fields).slice(0, LONGEST_COMMAND);
  const isEditorView = /str_replace/.test(tool) && command === "view";
  const segments = isEditorView ? [] : sourcesOf(command);
  const programs = segments.map(programOf);
  const isReadTool = READ_TOOL.test(tool) && path !== "";
  const readers = segments.filter((_, index) => READERS.has(programs[index] ?? ""));
  return {
    isFileRead: isReadTool || (segments.length > 0 && readers.length === segments.length),
    extension: extensionOf(isReadTool ? path : (readers.map(lastPath).find((found) => found !== "") ?? "")),
    programs,
    isSearch: SEARCH_TOOL.test(tool) || programs.some((program) => SEARCHERS.has(program)),
    isListing: LISTING_TOOL.test(tool) || programs.some((program) => LISTERS.has(program)),
    isDiff: DIFF_TOOL.test(tool) || programs.some((program) => DIFFERS.has(program)),
    isTest: programs.some((program) => TESTERS.test(program)),
  };
}

/** Returns the first program of each pipeline, except for programs that print nothing. */
function sourcesOf(command: string): string[] {
  if (command === "") return [];
  return command
    .split(/&&|\|\||;|\n/)
    .map((pipeline) => (pipeline.split("|")[0] ?? "").trim().replace(/^(?:(?:\w+=\S*|sudo|time|command|timeout \d+\w?|env)\s+)+/, ""))
    .filter(
      (segment) =>
        segment !== "" && !/^(?:cd|export|set|source|mkdir|rm|mv|cp|touch|sleep|echo|printf|true|pwd|chmod|#|fi|done|then|do|if|for|else)\b/.test(segment),
    );
}

function programOf(segment: string): string {
  // `git -C folder diff`: skip the folder to get the subcommand.
  const words = segment.replace(/^(\S*git(?:\s+--\S+)*)(?:\s+-[Cc]\s+\S+)+/, "$1").split(/\s+/, 4);
  const first = (words[0] ?? "").replace(/^.*\//, "");
  if (!TWO_WORDS.has(first)) return first;
  const second = words.slice(1).find((word) => !word.startsWith("-") || first === "node" || first.startsWith("python")) ?? "";
  return `${first} ${second}`;
}

function lastPath(segment: string): string {
  return segment.split(/\s+/).findLast((word) => /\.\w+["']?$/.test(word)) ?? "";
}

function extensionOf(path: string): string {
  return /\.(\w{1,12})["']?$/.exec(path)?.[1]?.toLowerCase() ?? "";
}
