import type { FileOperation } from "./file-operation.ts";
import { operationsOfPatch } from "./operations-of-patch.ts";
import { shellCommands, type ShellCommand } from "./shell-commands.ts";

type Words = readonly string[];

/** Words before a program: keywords, variable assignments, and programs that run another one. */
const LEAD = /^(?:do|then|else|elif|if|while|until|!|\{|time|sudo|command|env|exec|nohup|builtin|[A-Za-z_]\w*=.*)$/s;
const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash"]);
/** Nesting limit of `sh -c`. */
const MOST_SHELLS = 3;
const LONGEST_PATH = 400;
/** A folder whose name is unknown: files in it are not reported. */
const UNTOLD = "$";

const operations =
  (action: FileOperation["action"], pathsOf: (words: Words) => Words = operands) =>
  (words: Words): FileOperation[] =>
    pathsOf(words).map((path) => ({ path, action }));

/** Operations on the files in the words of each program. */
const PROGRAMS: Readonly<Record<string, (words: Words) => FileOperation[]>> = {
  rm: operations("delete"),
  unlink: operations("delete"),
  rmdir: operations("delete"),
  touch: operations("ensure"),
  mkdir: operations("ensure"),
  tee: (words) => operations(hasFlag(words, "a") ? "change" : "write")(words),
  cp: (words) => targets(words).map((path) => ({ path, action: "write" })),
  mv: (words) => [
    ...operands(words)
      .slice(0, -1)
      .map((path): FileOperation => ({ path, action: "delete" })),
    ...targets(words).map((path): FileOperation => ({ path, action: "write" })),
  ],
  sed: (words) => operations(words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)) ? "change" : "read", filesAfterScript)(words),
  perl: (words) => (words.some((word) => /^-[a-z0]*i/.test(word)) ? operations("change", filesAfterScript)(words) : []),
  cat: operations("read"),
  nl: operations("read"),
  head: operations("read", withoutCounts),
  tail: operations("read", withoutCounts),
  "git rm": operations("delete"),
  "git mv": (words) => PROGRAMS["mv"]?.(words) ?? [],
};

/** Returns the files that a shell script creates, changes, reads and deletes, as far as its words tell. Paths after a `cd` are relative to it. */
export function operationsOfShell(script: string, depth = 0): FileOperation[] {
  const found: FileOperation[] = [];
  let folder = "";
  for (const command of shellCommands(script)) {
    const words = behindLead(command.words);
    const [program = "", ...rest] = words;
    if (program === "cd") {
      const into = joined(folder, operands(rest)[0] ?? "");
      folder = into.length > LONGEST_PATH ? UNTOLD : into;
      continue;
    }
    for (const operation of operationsOf(command, program, rest, depth)) {
      const path = operation.path === "" ? "" : joined(folder, operation.path);
      if (isTold(path)) found.push({ path, action: operation.action });
    }
  }
  return found;
}

function operationsOf(command: ShellCommand, program: string, rest: Words, depth: number): FileOperation[] {
  // In `[[ … ]]`, `>` is a comparison.
  if (program === "[[") return [];
  const redirected = command.redirects.map(({ path, appends }): FileOperation => ({ path, action: appends ? "change" : "write" }));
  return [...operationsOfProgram(command, program.replace(/^.*\//s, ""), rest, depth), ...redirected];
}

function operationsOfProgram({ body }: ShellCommand, program: string, rest: Words, depth: number): FileOperation[] {
  if (program === "apply_patch") return operationsOfPatch(body === "" ? (rest[0] ?? "") : body);
  if (SHELLS.has(program)) {
    const script = /^-\w*c$/.test(rest[0] ?? "") ? (rest[1] ?? "") : body;
    return depth < MOST_SHELLS ? operationsOfShell(script, depth + 1) : [];
  }
  const name = program === "git" ? `git ${rest[0] ?? ""}` : program;
  const words = program === "git" ? rest.slice(1) : rest;
  return Object.hasOwn(PROGRAMS, name) ? (PROGRAMS[name]?.(words) ?? []) : [];
}

function behindLead(words: Words): Words {
  const start = words.findIndex((word) => !LEAD.test(word));
  return start < 0 ? [] : words.slice(start);
}

/** Returns the words that are not options. */
function operands(words: Words): Words {
  const end = words.indexOf("--");
  return end >= 0 ? [...words.slice(0, end).filter(isOperand), ...words.slice(end + 1)] : words.filter(isOperand);
}

function isOperand(word: string): boolean {
  return !word.startsWith("-") && word !== "}";
}

function hasFlag(words: Words, flag: string): boolean {
  return words.some((word) => /^-[a-zA-Z]+$/.test(word) && word.includes(flag));
}

/** Returns the targets of `cp` and `mv`: the last word or, if that is a folder, a file in it for each other word. */
function targets(words: Words): Words {
  const all = operands(words);
  const last = all.at(-1) ?? "";
  const sources = all.slice(0, -1);
  if (sources.length === 0) return [];
  return sources.length === 1 && !/(?:^|\/)\.{0,2}$/.test(last)
    ? [last]
    : sources.map((source) => joined(last, source.replace(/\/+$/, "").replace(/^.*\//s, "")));
}

/** Returns the files of `sed` and `perl`: the first word is the script, unless an option contains it. */
function filesAfterScript(words: Words): Words {
  const rest: string[] = [];
  let hasScript = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    // `-i ''` on macOS.
    if (word === "") continue;
    if (/^-[a-zA-Z]*[ef]$/.test(word) || word === "--expression") {
      hasScript = true;
      index++;
    } else if (isOperand(word)) rest.push(word);
  }
  return hasScript ? rest : rest.slice(1);
}

/** Returns the files of `head` and `tail`, without the number of `-n 20`. */
function withoutCounts(words: Words): Words {
  return operands(words.filter((_, index) => !/^-[nc]$/.test(words[index - 1] ?? "")));
}

/** Says whether the word is a literal path: variables and commands are not expanded, and devices are not files. */
function isTold(path: string): boolean {
  return path.length <= LONGEST_PATH && /^[^\n$`]*[\w*][^\n$`]*$/.test(path) && !/^\/dev\/|^\/?\*+$/.test(path);
}

function joined(folder: string, path: string): string {
  if (folder === "" || /^(?:[/~]|[A-Za-z]:)/.test(path)) return path;
  return path === "" ? folder : `${folder.replace(/\/+$/, "")}/${path}`;
}
