import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folders of `src/` that run in any JavaScript runtime, from top to bottom. tsconfig.pure.json lists them; the linter, the layers and the tests read them here. */
export const PURE_FOLDERS: readonly string[] = read(fileURLToPath(new URL("../tsconfig.pure.json", import.meta.url)));

function read(path: string): string[] {
  const parsed: { config?: unknown; error?: ts.Diagnostic } = ts.readConfigFile(path, (file) => ts.sys.readFile(file));
  if (parsed.error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(parsed.error.messageText, "\n"));
  const { include = [] } = parsed.config as { readonly include?: readonly string[] };
  const folders = include.flatMap((entry) => /^src\/([\w-]+)$/.exec(entry)?.[1] ?? []);
  if (folders.length === 0) throw new Error(`${path} names no folder of src/`);
  return folders;
}
