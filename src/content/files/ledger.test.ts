import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, use, user } from "../../../test/support/build.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { Message } from "../../messages/message.ts";
import { ledgerOf } from "./ledger.ts";

interface Call {
  readonly tool: string;
  readonly input: unknown;
  readonly result?: string;
  readonly isError?: boolean;
}

function messagesOf(calls: readonly Call[]): Message[] {
  return calls.flatMap(({ tool, input, result, isError }, index): Message[] => [
    assistant(use(`c${index}`, tool, input)),
    ...(result === undefined && isError === undefined ? [] : [user(res(`c${index}`, result ?? "", { is_error: isError ?? false }))]),
  ]);
}

/** `path: action, action`. */
function told(...calls: readonly Call[]): string[] {
  return ledgerOf(messagesOf(calls)).map(({ path, actions }) => `${path}: ${actions.join(", ")}`);
}

const sh = (command: string): Call => ({ tool: "Bash", input: { command } });

describe("tools", () => {
  const rows: readonly [string, Call, readonly string[]][] = [
    ["Claude Code's Write", { tool: "Write", input: { file_path: "/a/b.ts", content: "x" } }, ["/a/b.ts: made"]],
    ["Claude Code's Edit", { tool: "Edit", input: { file_path: "/a/b.ts", old_string: "x", new_string: "y" } }, ["/a/b.ts: changed"]],
    ["MultiEdit", { tool: "MultiEdit", input: { file_path: "a.ts", edits: [] } }, ["a.ts: changed"]],
    ["NotebookEdit", { tool: "NotebookEdit", input: { notebook_path: "a.ipynb", new_source: "" } }, ["a.ipynb: changed"]],
    ["Read", { tool: "Read", input: { file_path: "a.ts" } }, ["a.ts: read"]],
    ["the editor's view", { tool: "str_replace_editor", input: { command: "view", path: "a.py" } }, ["a.py: read"]],
    ["the editor's create", { tool: "str_replace_based_edit_tool", input: { command: "create", path: "a.py", file_text: "" } }, ["a.py: made"]],
    ["the editor's str_replace", { tool: "str_replace_editor", input: { command: "str_replace", path: "a.py" } }, ["a.py: changed"]],
    ["an unknown command of the editor", { tool: "str_replace_editor", input: { command: "constructor", path: "a.py" } }, []],
    ["OpenCode's edit", { tool: "edit", input: { filePath: "a.ts", oldString: "", newString: "" } }, ["a.ts: changed"]],
    ["a tool of an MCP server", { tool: "mcp__files__write_file", input: { path: "a.md", content: "" } }, ["a.md: made"]],
    ["a file that is moved", { tool: "move_file", input: { source: "a", destination: "b" } }, ["a: deleted", "b: made"]],
    ["a file that is deleted", { tool: "delete_file", input: { path: "a" } }, ["a: deleted"]],
    ["a call without a path", { tool: "Write", input: {} }, []],
    ["input that is none", { tool: "Write", input: null }, []],
    ["a tool that touches no file", { tool: "get_user", input: { user_id: "mia" } }, []],
  ];
  for (const [name, call, expected] of rows) test(name, () => assert.deepEqual(told(call), expected));
});

describe("patches", () => {
  const patch =
    "*** Begin Patch\n*** Add File: docs/new.md\n+# New\n*** Update File: src/old.ts\n*** Move to: src/moved.ts\n@@\n-a\n+*** Delete File: not this\n*** Update File: src/b.ts\n@@\n*** Delete File: src/gone.ts\n*** End Patch";
  const files = ["docs/new.md: made", "src/old.ts: deleted", "src/moved.ts: made", "src/b.ts: changed", "src/gone.ts: deleted"];
  const diff = "--- a/src/a.ts\t2026\n+++ b/src/a.ts\n@@ -1 +1 @@\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n--- a/gone.ts\n+++ /dev/null\n";
  const rows: readonly [string, Call, readonly string[]][] = [
    ["Codex's apply_patch", { tool: "apply_patch", input: { input: patch } }, files],
    ["OpenCode's apply_patch", { tool: "apply_patch", input: { patchText: patch } }, files],
    ["a custom tool, whose input is a string", { tool: "apply_patch", input: patch }, files],
    ["apply_patch in a shell", { tool: "shell", input: { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF\n`] } }, files],
    ["a unified diff", { tool: "apply_patch", input: { patch: diff } }, ["src/a.ts: changed", "new.ts: made", "gone.ts: deleted"]],
  ];
  for (const [name, call, expected] of rows) test(name, () => assert.deepEqual(told(call), expected));
});

describe("shell commands", () => {
  const rows: readonly [string, readonly string[]][] = [
    ["echo hi > out.txt", ["out.txt: made"]],
    ["echo hi >> out.txt", ["out.txt: changed"]],
    ["npm test >out.txt 2>&1", ["out.txt: made"]],
    ["npm test &> 'all out.log'", ["all out.log: made"]],
    ["ls > /dev/null 2>/dev/null", []],
    ["cat <<'EOF' > a.py\nif x > 3:\n  rm('b')\nEOF\ntouch c", ["a.py: made", "c: made"]],
    ["cat > a.sh <<-END\n\trm b\n\tEND\nrm c", ["a.sh: made", "c: deleted"]],
    ["sed -i 's/a/b/' src/a.ts src/b.ts", ["src/a.ts: changed", "src/b.ts: changed"]],
    ["sed -i '' -e 's/a/b/' src/a.ts", ["src/a.ts: changed"]],
    ["sed -n '1,20p' src/a.ts", ["src/a.ts: read"]],
    ["perl -pi -e 's/a/b/' a.txt", ["a.txt: changed"]],
    ["rm -rf build dist", ["build: deleted", "dist: deleted"]],
    ["rm -- -odd", ["-odd: deleted"]],
    ["mv a.ts b.ts", ["a.ts: deleted", "b.ts: made"]],
    ["mv a.ts b.ts lib/", ["a.ts: deleted", "b.ts: deleted", "lib/a.ts: made", "lib/b.ts: made"]],
    ["git mv a.ts lib/", ["a.ts: deleted", "lib/a.ts: made"]],
    ["git rm a.ts", ["a.ts: deleted"]],
    ["cp src/a.ts .", ["a.ts: made"]],
    ["mkdir -p out && mkdir -p out", ["out: made"]],
    ["echo x | tee a.txt | tee -a b.txt", ["a.txt: made", "b.txt: changed"]],
    ["cd /repo && sed -i s/a/b/ ./src/../a.ts", ["/repo/a.ts: changed"]],
    ['cd "$DIR" && rm a.ts', []],
    ["rm $FILE `ls` $(cat list > x)", []],
    ["FOO=1 sudo rm a; if true; then rm b; fi", ["a: deleted", "b: deleted"]],
    ["bash -c 'rm a && touch b'", ["a: deleted", "b: made"]],
    ["[[ $a > $b ]] && [[ x > y ]]", []],
    ["# rm a\necho 'rm b > c'", []],
    ["head -n 20 a.ts | tail -5", ["a.ts: read"]],
    ["python - <<'E'\nopen('x').read() > 3\nE", []],
    ["grep -rn foo src", []],
    ["echo 'never closed > a", []],
    ["cat << ", []],
  ];
  for (const [command, expected] of rows) test(JSON.stringify(command), () => assert.deepEqual(told(sh(command)), expected));
});

describe("outcomes", () => {
  test("an edit that failed did nothing, a shell may have done its first commands", () => {
    assert.deepEqual(told({ tool: "Edit", input: { file_path: "a" }, isError: true }), []);
    assert.deepEqual(told({ tool: "str_replace_editor", input: { command: "str_replace", path: "a" }, result: "No replacement was performed, old_str" }), []);
    assert.deepEqual(told({ tool: "Bash", input: { command: "rm a && false" }, isError: true }), ["a: deleted"]);
  });

  test("each action is named once, and the last one is what was done last", () => {
    const write: Call = { tool: "Write", input: { file_path: "a" } };
    const read: Call = { tool: "Read", input: { file_path: "./a" } };
    assert.deepEqual(told(write, write, read, sh("rm a")), ["a: made, changed, read, deleted"]);
    assert.deepEqual(told(write, sh("rm a"), write), ["a: deleted, made"]);
    assert.deepEqual(told(read, write), ["a: read, changed"]);
  });

  test("a result answers the last call of its id, because recordings use ids twice", () => {
    const call = (path: string): Message => assistant(use("c", "Write", { path }));
    const answer = (isError: boolean): Message => user(res("c", "", { is_error: isError }));
    assert.deepEqual(ledgerOf([call("a"), answer(false), call("b"), answer(true)]), [{ path: "a", actions: ["made"] }]);
  });

  test("what is no message is refused", () => {
    assert.throws(() => ledgerOf([{ role: "tool" }] as unknown as Message[]), PalimpsestError);
  });
});

test("no command takes more than time in proportion to its length", { timeout: 120_000 }, () => {
  const hostile = ["'", '"', "`", "$(", "(", "<<a\n", ">", "1", "\\", "a=b ", "--- x", "rm -", "bash -c '", "cd a;", "\f", "*** Add File: a\n"];
  for (const part of hostile) {
    const command = part.repeat(200_000 / part.length);
    told(sh(command), { tool: "apply_patch", input: { input: `*** Begin Patch\n${command}` } }, { tool: "apply_patch", input: { input: command } });
  }
});
