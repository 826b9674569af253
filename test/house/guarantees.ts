import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** The root of the project. */
export const root: string = join(import.meta.dirname, "../..");

/** A promise of docs/guarantees.md, with what proves it. */
export interface Promised {
  /** The heading that it stands under. */
  readonly section: string;
  readonly text: string;
  readonly proofs: readonly Proof[];
}

/** A test file of the project, and the tests in it by their names; all of it, if there are none. */
export interface Proof {
  readonly label: string;
  /** From the root; `undefined` if the page does not say where it is. */
  readonly file: string | undefined;
  readonly names: readonly string[];
}

/**
 * The items of all lists of the page. A proof is a reference, `[stream/merge]`, and the names of tests in quotes behind it,
 * “like this”, “and this”; where the file is stands at the end: `[stream/merge]: ../test/stream/operators/merge.test.ts`.
 */
export function promisesOf(page: string): Promised[] {
  const files = filesOf(page);
  const promises: Promised[] = [];
  for (const part of page.split(/^(?=## )/m)) {
    const [heading = "", ...lines] = part.split("\n");
    for (const item of lines.join("\n").split(/^(?=[-\d])/m)) {
      const [, text] = /^(?:-|\d+\.) (.*?)(?:\n\n|$)/s.exec(item) ?? [];
      if (text === undefined) continue;
      const plain = text.replaceAll(/\s+/g, " ").trim();
      promises.push({ section: heading.replace(/^## /, ""), text: plain, proofs: proofsOf(plain, files) });
    }
  }
  return promises;
}

/** The files that the page refers to, by their labels. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const definitions = page.matchAll(/^\[([^\]]+)\]: \.\.\/(\S+)$/gm);
  return new Map(Array.from(definitions, ([, label = "", file = ""]) => [label, file]));
}

function proofsOf(text: string, files: ReadonlyMap<string, string>): Proof[] {
  const proofs: Proof[] = [];
  for (const [, label = "", quoted = ""] of text.matchAll(/\[([\w/.-]+)\](?![(:])((?:,? “[^”]+”)*)/g)) {
    const names = Array.from(quoted.matchAll(/“([^”]+)”/g), ([, name = ""]) => unmarked(name));
    proofs.push({ label, file: files.get(label), names });
  }
  return proofs;
}

/** What is wrong with a proof: sentences, none if nothing is. */
export function complaintsAbout({ label, file, names }: Proof): string[] {
  if (file === undefined) return [`[${label}] is nowhere said to be a file`];
  if (!existsSync(join(root, file))) return [`there is no ${file}`];
  const titles = titlesIn(readFileSync(join(root, file), "utf8"));
  const missing = names.filter((name) => !titles.has(name)).map((name) => `${file} has no test “${name}”`);
  if (titles.size === 0) missing.push(`${file} has no tests`);
  if (!file.endsWith(".test.ts") && !isUsed(file)) missing.push(`no test runs ${file}`);
  return missing;
}

/**
 * The names of the tests in a source, and of the `describe`s with a test in them: those of a table have their names from
 * their data. What is skipped or still to be written is none. What a template puts in is `${…}`.
 */
export function titlesIn(source: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): boolean => {
    let found = false;
    const kind = ts.isCallExpression(node) ? kindOf(node.expression) : undefined;
    if (kind === "skipped") return false;
    ts.forEachChild(node, (child) => {
      if (visit(child)) found = true;
    });
    if (kind === undefined) return found;
    const title = titleOf((node as ts.CallExpression).arguments[0]);
    if (kind === "test" && isRun(node as ts.CallExpression)) found = true;
    if (found && title !== undefined) titles.add(unmarked(title));
    return found;
  };
  visit(ts.createSourceFile("a.test.ts", source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** Without marks of code, which the page needs where a name would else be Markdown. */
function unmarked(name: string): string {
  return name.replaceAll("`", "");
}

/** Of `test`, `describe.each(…)`, `test.concurrent` and so on. */
function kindOf(callee: ts.Expression): "test" | "describe" | "skipped" | undefined {
  const words = /^(test|it|describe)\b((?:\.\w+)*)/.exec(callee.getText());
  if (words === null) return undefined;
  if (/\.(skip|todo)\b/.test(words[2] ?? "")) return "skipped";
  return words[1] === "describe" ? "describe" : "test";
}

/** A name and a function: not the inner call of `test.each(table)(name, run)`. */
function isRun({ arguments: given }: ts.CallExpression): boolean {
  return given.length >= 2 && given.some((it) => ts.isArrowFunction(it) || ts.isFunctionExpression(it));
}

function titleOf(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `\${…}${literal.text}`).join("");
}

/** Whether a test imports the file, which has tests for several. */
function isUsed(file: string): boolean {
  return testFiles().some((test) => {
    const imports = readFileSync(join(root, test), "utf8").matchAll(/from "(\.[^"]+)\.js"/g);
    return Array.from(imports).some(([, path = ""]) => join(dirname(test), `${path}.ts`) === file);
  });
}

/** All test files, from the root. */
export function testFiles(): string[] {
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `test/${file.replaceAll("\\", "/")}`);
}
