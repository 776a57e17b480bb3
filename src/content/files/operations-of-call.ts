import { commandOf, fieldsOf, firstString, PATH_KEYS, type CallFields } from "../calls/input-fields.ts";
import type { FileOperation } from "./file-operation.ts";
import { operationsOfPatch } from "./operations-of-patch.ts";
import { operationsOfShell } from "./operations-of-shell.ts";

const ALL_PATH_KEYS: readonly string[] = [...PATH_KEYS, "notebook_path", "relative_path"];
const PATCH_KEYS: readonly string[] = ["input", "patchText", "patch", "diff", "command"];
const FROM_KEYS: readonly string[] = ["source", "old_path", "oldPath", "src", "from"];
const TO_KEYS: readonly string[] = ["destination", "new_path", "newPath", "dst", "to"];

/** By tool name in lower case, without `_`, `-` and prefixes: harnesses agree on little else. */
const FILE_TOOLS: readonly { readonly names: RegExp; readonly operationsOf: (fields: CallFields) => FileOperation[] }[] = [
  { names: /^(?:strreplaceeditor|strreplacebasededittool|texteditor)$/, operationsOf: operationsOfEditor },
  { names: /^applypatch$/, operationsOf: (fields) => operationsOfPatch(firstString(fields, PATCH_KEYS)) },
  { names: /^(?:write|writefile|filewrite|create|createfile|savefile)$/, operationsOf: (fields) => toPath(fields, "write") },
  {
    names: /^(?:edit|multiedit|editfile|notebookedit|strreplace|replace|replaceinfile|searchreplace|insert|insertcontent|appendfile)$/,
    operationsOf: (fields) => toPath(fields, "change"),
  },
  { names: /^(?:read|readfile|readtextfile|view|viewfile|openfile|notebookread|cat)$/, operationsOf: (fields) => toPath(fields, "read") },
  { names: /^(?:delete|deletefile|remove|removefile)$/, operationsOf: (fields) => toPath(fields, "delete") },
  { names: /^(?:move|movefile|rename|renamefile)$/, operationsOf: operationsOfMove },
];

const EDITOR_ACTIONS: Readonly<Record<string, FileOperation["action"]>> = {
  view: "read",
  create: "write",
  str_replace: "change",
  insert: "change",
  undo_edit: "change",
  delete: "delete",
};

/** Reads from a tool's calls what they do to files. */
export interface ActingTool {
  /** True if a failed call may still have done some of its operations. */
  readonly isShell: boolean;
  readonly operationsOf: (fields: CallFields) => FileOperation[];
}

const SHELL: ActingTool = { isShell: true, operationsOf: (fields) => operationsOfShell(commandOf(fields)) };

/** A tool with an unknown name may be a shell. */
export function actingTool(tool: string): ActingTool {
  const name = bareName(tool);
  const known = FILE_TOOLS.find(({ names }) => names.test(name));
  return known === undefined ? SHELL : { isShell: false, operationsOf: known.operationsOf };
}

/** Returns which files a call creates, changes, reads and deletes. */
export function operationsOfCall(tool: ActingTool, input: unknown): FileOperation[] {
  return tool.operationsOf(typeof input === "string" ? { input } : fieldsOf(input)).filter(({ path }) => path !== "");
}

/** Strips prefixes, as in `mcp__files__write_file` and `functions.apply_patch`. */
function bareName(tool: string): string {
  return tool
    .replace(/^.*(?:__|[./:])/s, "")
    .replaceAll(/[_-]/g, "")
    .toLowerCase();
}

function toPath(fields: CallFields, action: FileOperation["action"]): FileOperation[] {
  return [{ path: firstString(fields, ALL_PATH_KEYS), action }];
}

function operationsOfEditor(fields: CallFields): FileOperation[] {
  const { command } = fields;
  const action = typeof command === "string" && Object.hasOwn(EDITOR_ACTIONS, command) ? EDITOR_ACTIONS[command] : undefined;
  return action === undefined ? [] : toPath(fields, action);
}

function operationsOfMove(fields: CallFields): FileOperation[] {
  return [
    { path: firstString(fields, FROM_KEYS), action: "delete" },
    { path: firstString(fields, TO_KEYS), action: "write" },
  ];
}
