import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Builds the app from its sources: for the package, and in memory in a clone. esbuild is installed only in a clone. */
export async function bundleApp(folder: URL): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const { outputFiles } = await build({
    entryPoints: { app: fileURLToPath(new URL("main.tsx", folder)), "diff-worker": fileURLToPath(new URL("diff/diff-worker.ts", folder)) },
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfig: fileURLToPath(new URL("tsconfig.json", folder)),
    legalComments: "none",
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const built = outputFiles.map(
    ({ path, contents }) => [path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1), Buffer.from(contents)] as const,
  );
  return [...built, ["icon.svg", await readFile(new URL("icon.svg", folder))] as const];
}
