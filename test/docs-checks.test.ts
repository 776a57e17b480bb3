/** The checks of `npm run check:docs` on small pages: each of them sees what it is there for. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { linkFaultsIn } from "../scripts/docs/check-links.ts";
import { releaseNotes } from "../scripts/docs/changelog.ts";
import { proseFaults } from "../scripts/docs/check-readme.ts";
import { errorsPage } from "../scripts/docs/errors-page.ts";
import { regionOf, snippetFaults, withSnippets } from "../scripts/docs/example-snippets.ts";
import { anchorsOf } from "../scripts/docs/markdown.ts";
import { ruleFaults } from "../scripts/docs/provider-rules-page.ts";
import { citations, citationsIn, reportedBy } from "../scripts/docs/rule-citations.ts";
import manifest from "../package.json" with { type: "json" };
import { ERROR_CODES } from "../src/index.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

describe("links", () => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-links-"));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/there.md"), "# Over there\n\n## `Code`, and more!\n\n## Twice\n\n## Twice\n");
  writeFileSync(join(folder, "plot.svg"), "<svg/>");

  const CASES: readonly (readonly [name: string, text: string, faults: readonly string[]])[] = [
    ["a file that is there", "[a](there.md) ![b](../plot.svg) [c](https://example.org/x.md)", []],
    ["a file that is not there", "[a](gone.md)", ["docs/page.md:1: gone.md: there is no docs/gone.md"]],
    ["an anchor that is there", "[a](there.md#code-and-more) [b](there.md#twice-1) [c](#here)\n# Here", []],
    ["an anchor that is not there", "\n[a](there.md#elsewhere)", ["docs/page.md:2: there.md#elsewhere: there is no heading #elsewhere"]],
    ["an anchor of the page itself", "[a](#nowhere)", ["docs/page.md:1: #nowhere: there is no heading #nowhere"]],
    ["a link around a picture", "[![a](../plot.svg)](gone.md)", ["docs/page.md:1: gone.md: there is no docs/gone.md"]],
    [
      "a reference and a picture in HTML",
      '[a]: gone.md\n<img alt="b" src="../no.svg">',
      ["docs/page.md:1: gone.md: there is no docs/gone.md", "docs/page.md:2: ../no.svg: there is no no.svg"],
    ],
    ["code", "`[a](gone.md)`\n\n```md\n[a](gone.md)\n```\n", []],
    ["a link out of the repository", "[a](../../etc/hosts)", ["docs/page.md:1: ../../etc/hosts: leads out of the repository"]],
  ];
  for (const [name, text, faults] of CASES) test(name, () => assert.deepEqual(linkFaultsIn(text, "docs/page.md", folder), faults));

  test("headings get the anchors of GitHub", () =>
    assert.deepEqual([...anchorsOf('# A2.1\n## [Link](x.md) & `code_x`\n<a id="own"></a>\n```\n# no\n```\n')], ["a21", "link--code_x", "own"]));
});

describe("the README", () => {
  const limits = { maxLines: 6, maxCharactersPerLine: 30, maxWordsPerSentence: 5 };
  const CASES: readonly (readonly [name: string, text: string, faults: number])[] = [
    ["short lines and sentences", "# A title that is longer than it\n\nOne two three four five. Six.\n", 1],
    ["a long line", "One two. Three-and-more-and-on-and-on.\n", 1],
    ["a sentence over two lines", "One two three\nfour five six.\n", 1],
    ["a sentence that begins with code", "One two three.\n`four` five six seven.\n", 0],
    ["a link counts as its text", "[One](https://example.org/a/very/long/address) two.\n", 0],
    ["tables and code", "| one | two | three | four | five | six |\n\n```sh\none two three four five six seven eight\n```\n", 0],
    ["items are sentences of their own", "- one two three four\n- five six seven\n", 0],
    ["a long page", "a\n\nb\n\nc\n\nd\n", 1],
  ];
  for (const [name, text, faults] of CASES)
    test(name, () => assert.equal(proseFaults(text, "README.md", limits).length, faults, proseFaults(text, "README.md", limits).join("\n")));
});

describe("release notes", () => {
  const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-19\n\nThe first.\n\n### Added\n\n- All.\n\n## [0.1.0] - 2026-11-01\n\nNo.\n";

  test("are the section of the version", () => assert.equal(releaseNotes(CHANGELOG, "0.2.0"), "The first.\n\n### Added\n\n- All."));
  test("of a version that is not there are refused", () => assert.throws(() => releaseNotes(CHANGELOG, "0.3.0"), /has no entry for 0\.3\.0/));
  test("of this version are there", () => assert.match(releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), manifest.version), /### Added/));
});

describe("snippets of examples", () => {
  const SOURCE = "// #region a\n  one();\n// #endregion\nhidden();\n// #region a\n    two();\n// #endregion\n# #region b\nls # list\n# #endregion\n";

  test("a region is all that its marks enclose", () => {
    assert.equal(regionOf(SOURCE, "a", "x.ts"), "one();\ntwo();");
    assert.equal(regionOf(SOURCE, "b", "x.ts"), "ls # list");
    assert.doesNotMatch(regionOf(SOURCE, undefined, "x.ts"), /region/);
  });
  test("a region that is not there, or does not end, is named", () => {
    assert.throws(() => regionOf(SOURCE, "c", "x.ts"), /x\.ts has no region c/);
    assert.throws(() => regionOf("// #region a\none();", "a", "x.ts"), /x\.ts: region a has no end/);
  });
  test("a stale snippet becomes what the example has", () => {
    const page = "Text.\n\n<!-- example: examples/edits.ts#edit -->\n\n```ts\nold();\n```\n\nMore.\n";
    const filled = withSnippets(page, root);
    assert.match(filled, /const view = render\(log, \[edit\]\)/);
    assert.doesNotMatch(filled, /old\(\)|#region/);
    assert.equal(withSnippets(filled, root), filled);
    assert.throws(() => withSnippets(page.replace("edits.ts", "gone.ts"), root), /there is no example examples\/gone\.ts/);
  });
  test("code that comes from no example is named", () => {
    const page = "<!-- example: examples/edits.ts -->\n\n```ts\na();\n```\n\n```ts\nb();\n```\n\n```sh\nls\n```\n";
    assert.deepEqual(snippetFaults(page, "docs/x.md"), ["docs/x.md:7: comes from no example"]);
  });
});

describe("rules of providers", () => {
  const checks = reportedBy(root);
  const cited = citations(root);

  test("all are cited, and all that are cited are in the table", () => assert.deepEqual(ruleFaults(cited, checks), []));
  test("a citation of a rule that is not there is named with its place", () =>
    assert.deepEqual(ruleFaults([...cited, ...citationsIn("// so it is (A2.99)", "src/x.ts")], checks), [
      "src/x.ts:1: cites A2.99, which is in no table of src/messages/rules/table",
    ]));
  test("a rule that nobody cites is named", () =>
    assert.deepEqual(
      ruleFaults(
        cited.filter(({ rule }) => rule !== "A4.9"),
        checks,
      ),
      ["A4.9: in the table, but cited nowhere"],
    ));
  test("a rule that no check reports says how it is kept", () => {
    const fewer = new Map([...checks].filter(([rule]) => rule !== "B8"));
    assert.deepEqual(ruleFaults(cited, fewer), ["B8: no check reports it, so `kept` has to say how it is kept"]);
  });
  test("a range cites what lies between", () =>
    assert.deepEqual(
      citationsIn("A3.1–A3.3, A2.9 to A2.11 and B10", "x").map(({ rule }) => rule),
      ["A3.1", "A3.3", "A2.9", "A2.11", "B10", "A3.2", "A2.10"],
    ));
  test("hashes, escapes and paths are no rules", () => assert.deepEqual(citationsIn("#A21 \\uD835 x-A2 B1x docs/A3.md 0xA2 A2-b", "x"), []));
  test("which check reports what", () =>
    assert.deepEqual(
      ["A2.1", "A1.12", "B1", "B8", "C8", "E3"].map((rule) => checks.get(rule)),
      [
        ["`checkMessages`", "the provider double"],
        ["the provider double"],
        ["`openaiChat.check`", "the provider double"],
        ["the provider double"],
        ["the provider double"],
        ["`aiSdk.check`"],
      ],
    ));
});

test("the reference of errors has every code", () => {
  const page = errorsPage();
  for (const code of Object.keys(ERROR_CODES)) assert.match(page, new RegExp(`^## \`${code}\`$`, "m"));
});
