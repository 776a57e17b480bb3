import { commandOf, fieldsOf, firstString, PATH_KEYS, type CallFields } from "../calls/input-fields.ts";
import type { FileOperation } from "./file-operation.ts";
import { operationsOfPatch } from "./operations-of-patch.ts";
import { operationsOfShell } from "./operations-of-shell.ts";

const ALL_PATH_KEYS: readonly string[] = [...PATH_KEYS, "notebook_path", "relative_path"];
const PATCH_KEYS: readonly string[] = ["input", "patchText", "patch", "diff", "command"];
const FROM_KEYS: readonly string[] = ["source", "old_path", "oldPath", "src", "from"];
const TO_KEYS: readonly string[] = ["destination", "new_path", "newPath", "dst", "to"];

/** By the name of a tool in small letters, without `_` and what stands before it: harnesses agree on little else. */
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

/** What the calls of a tool do to files. */
export interface ActingTool {
  /** Then its operations may be done even if it ends in an error. */
  readonly isShell: boolean;
  readonly operationsOf: (fields: CallFields) => FileOperation[];
}

const SHELL: ActingTool = { isShell: true, operationsOf: (fields) => operationsOfShell(commandOf(fields)) };

/** Any tool that is not known by its name may be a shell. */
export function actingTool(tool: string): ActingTool {
  const name = bareName(tool);
  const known = FILE_TOOLS.find(({ names }) => names.test(name));
  return known === undefined ? SHELL : { isShell: false, operationsOf: known.operationsOf };
}

/** What a call tells of the files that it makes, changes, reads and deletes. */
export function operationsOfCall(tool: ActingTool, input: unknown): FileOperation[] {
  return tool.operationsOf(typeof input === "string" ? { input } : fieldsOf(input)).filter(({ path }) => path !== "");
}

/** `mcp__files__write_file`, `functions.apply_patch`. */
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
