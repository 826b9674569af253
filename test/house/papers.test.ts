import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { slugOf } from "../../docs/.vitepress/slug.js";
import { gates, parts } from "../../scripts/gates.js";
import { headingsOf } from "./site-links.js";

/** The documents for contributors name only existing files, links, scripts, gates, exports and limits. */

const root = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const papers = [
  "SECURITY.md",
  "CONTRIBUTING.md",
  "docs/internals/releasing.md",
  "docs/reference/threats.md",
  "docs/learn/migration/langchain-features.md",
  ".changeset/README.md",
  ".github/pull_request_template.md",
  ...readdirSync(join(root, ".github/ISSUE_TEMPLATE")).map((file) => `.github/ISSUE_TEMPLATE/${file}`),
  ...readdirSync(join(root, ".github/workflows")).map((file) => `.github/workflows/${file}`),
];

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly engines: { readonly node: string };
}
const manifest = JSON.parse(read("package.json")) as Manifest;

/** The exports and their members, from the API reports. */
const reports = readdirSync(join(root, "docs/api")).map((file) => read(`docs/api/${file}`));

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => read(join("src", file)));

describe.each(papers)("%s", (paper) => {
  const text = read(paper);
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

  test("names only existing files", () => {
    expect(pathsIn(text, quoted).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("has only working links", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !leadsSomewhere(paper, link))).toEqual([]);
  });

  test("names only existing scripts and gates", () => {
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const named = [...text.matchAll(/npm run check -- ([a-z -]+)/g)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    const known = new Set<string>([...parts, ...gates.map(({ name }) => name)]);
    expect(named.filter((name) => name !== "" && !known.has(name))).toEqual([]);
  });

  test("names only exports of the package", () => {
    const called = quoted.flatMap((code) => /^(\w+)\(.*\)$/.exec(code)?.[1] ?? []);
    const inside = paper === "CONTRIBUTING.md" ? sources : [];
    expect(called.filter((name) => name !== "require" && !isDeclared(name, inside))).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  const text = read("CONTRIBUTING.md");

  test("describes each folder of src", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => `src/${name}`).filter((path) => !text.includes(path))).toEqual([]);
  });

  test("has the reason for each pin", () => {
    const pinned = Object.entries({ ...manifest.devDependencies, ...manifest.overrides })
      .filter(([, range]) => typeof range === "string" && !range.startsWith("^"))
      .map(([name]) => name);
    expect(pinned.length).toBeGreaterThan(3);
    expect(pinned.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    expect(text).toContain(`Node ${/[\d.]+/.exec(manifest.engines.node)?.[0] ?? "?"}`);
  });
});

/** In backticks, or in the map of folders. A part in capitals stands for any name, like `*` or `<…>`. */
function pathsIn(text: string, quoted: readonly string[]): string[] {
  const map = [...text.matchAll(/(?:^|\s)(src\/[a-z]+)(?=[\s,])/gm)].map(([, path = ""]) => path);
  const isPath = /^(?:\.?[\w-]+\/[\w./-]*|\.?[\w.-]+\.(?:c?js|ts|json|md|yml))$/;
  return [...quoted.filter((code) => isPath.test(code)), ...map]
    .map((path) => path.replace(/\/?\b(?:NAME)\b.*$/, ""))
    .filter((path) => path !== "" && !/^(?:millrace|release\.yml$|sideEffects)/.test(path));
}

function leadsSomewhere(paper: string, link: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [path = "", heading] = link.split("#");
  const file = path === "" ? paper : join(dirname(paper), path);
  if (!existsSync(join(root, file))) return false;
  return heading === undefined || headingsOf(read(file)).map(slugOf).includes(heading);
}

/** Exported by the package, or by its sources where a document is about them. */
function isDeclared(name: string, inside: readonly string[]): boolean {
  const declared = new RegExp(`(?:function|class|const) ${name}\\b|^ +(?:readonly )?${name}[(:?]`, "m");
  return [...reports, ...inside].some((text) => declared.test(text));
}
