import { PURE_FOLDERS } from "./scripts/pure-folders.ts";

// The layers of src/, from top to bottom: a folder imports only folders above it. ARCHITECTURE.md says what each is for.
const LAYERS = [
  ...PURE_FOLDERS.map((folder) => [folder]),
  ["pricing"],
  ["exact-tokens"],
  ["formats"],
  ["summarize"],
  ["policy"],
  ["conversation"],
  ["replay"],
  ["store"],
  ["history"],
  ["agent"],
  ["access"],
  ["proxy", "mcp", "inspector"], // front ends: beside each other, so none imports another
  ["cli"],
  ["testing"],
];

const TEST_FILES = "\\.test\\.ts$";
const folders = (names) => `^src/(${names.join("|")})/`;

const layerRules = LAYERS.flatMap((layer, index) =>
  layer.map((folder) => {
    const above = LAYERS.slice(0, index).flat();
    const entry = index >= PURE_FOLDERS.length ? "|index\\.ts$" : "";
    return {
      name: `layer-${folder}`,
      comment: `src/${folder} imports only itself and ${above.length === 0 ? "nothing else of src" : above.join(", ")}.`,
      severity: "error",
      from: { path: folders([folder]), pathNot: TEST_FILES },
      to: { path: "^src/", pathNot: `^src/((${[...above, folder].join("|")})/${entry})` },
    };
  }),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: "known-folders",
      comment: "Every source lies in a folder of the list of layers, or is the entry src/index.ts.",
      severity: "error",
      from: { path: "^src/", pathNot: [folders(LAYERS.flat()), "^src/index\\.ts$", TEST_FILES] },
      to: {},
    },
    {
      name: "entry-is-pure",
      comment: "`palimpsest` itself runs in any JavaScript runtime.",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { pathNot: folders(PURE_FOLDERS) },
    },
    {
      name: "pure",
      comment: "The first block imports no node:* and no package, so that it runs in any JavaScript runtime.",
      severity: "error",
      from: { path: folders(PURE_FOLDERS), pathNot: TEST_FILES },
      to: { pathNot: "^src/" },
    },
    {
      name: "testing-judges-for-itself",
      comment: "The provider double shares neither rules nor types with what it judges, and needs no package: of src it imports the errors only.",
      severity: "error",
      from: { path: folders(["testing"]), pathNot: TEST_FILES },
      to: { pathNot: folders(["testing", "errors"]), dependencyTypesNot: ["core"] },
    },
    {
      name: "app-knows-answers-only",
      comment: "The inspector's app runs in a browser: of src it imports itself, and the types of the server's answers.",
      severity: "error",
      from: { path: "^src/inspector/app/" },
      to: { path: "^src/", pathNot: ["^src/inspector/app/", "^src/inspector/answers\\.ts$"] },
    },
    {
      name: "server-does-not-import-its-app",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/inspector/app/"] },
      to: { path: "^src/inspector/app/" },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "production-imports-production",
      comment: "What is shipped imports nothing that is not: no tests, scripts, benchmarks or examples.",
      severity: "error",
      from: { path: "^src/", pathNot: TEST_FILES },
      to: { path: ["^(test|bench|examples|scripts)/", TEST_FILES] },
    },
    {
      name: "no-undeclared-package",
      comment:
        "What is shipped imports only packages that are installed with it, or that it names as peers. The inspector's app is bundled with what it needs.",
      severity: "error",
      from: { path: "^src/", pathNot: [TEST_FILES, "^src/inspector/app/", "^src/inspector/bundle-app\\.ts$"] },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] },
    },
    {
      name: "not-to-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|reports|\\.stryker-tmp)/" },
    tsPreCompilationDeps: true, // type imports obey the layers too
    tsConfig: { fileName: "tsconfig.json" },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
