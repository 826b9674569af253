import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docblockExamples, markdownExamples, type Example } from "../../scripts/markdown-examples.js";
import { type Complaint, typeCheck } from "../support/type-check.js";
import type { ExampleReport } from "./support/example-runner.js";
import { runExamples } from "./support/run-examples.js";

/**
 * Every example in the README, in docs/ and in the docblocks of the sources compiles, runs, and prints the output that
 * the text shows. markdown-examples.ts explains the marks of code blocks.
 */

const root = join(import.meta.dirname, "../..");
mkdirSync(join(root, "temp"), { recursive: true });
const folder = mkdtempSync(join(root, "temp/examples-"));

/** The examples of each file. */
const examples = new Map<string, readonly Example[]>();
for (const file of ["README.md", "README.zh-CN.md", ...filesIn("docs", /\.md$/)]) {
  // Generated: API reports, benchmark tables, the API reference.
  if (!/^docs\/(api|internals\/benchmarks|exports)\//.test(file))
    examples.set(file, examplesOf(file, markdownExamples));
}
for (const file of filesIn("src", /\.tsx?$/)) examples.set(file, examplesOf(file, docblockExamples));

/** The errors of the compiler, by the file of the example. Filled by `beforeAll`. */
let complaints: ReadonlyMap<string, readonly Complaint[]>;
/** The reports of the programs, by their bundles. */
let reports: ReadonlyMap<string, ExampleReport>;

beforeAll(async () => {
  const files: string[] = [];
  const programs: string[] = [];
  for (const [text, found] of examples) {
    for (const example of found) {
      files.push(fileOf(text, example));
      if (example.run) programs.push(fileOf(text, example));
      // Starts with as many empty lines as the block has before it, so that errors have the right line.
      writeFileSync(fileOf(text, example), `${"\n".repeat(example.line - 1)}${example.code}\nexport {};\n`);
    }
  }
  // An example may leave a name unused.
  complaints = await typeCheck(folder, files, { noUnusedLocals: false, noUnusedParameters: false });
  const sound = programs.filter((file) => !complaints.has(file));
  await bundle([join(import.meta.dirname, "support/example-runner.ts"), ...sound]);
  // Two processes, because many examples wait.
  const halves = [0, 1].map((half) => sound.filter((_, index) => index % 2 === half).map(bundleOf));
  const ended = await Promise.all(
    halves.map((half) => runExamples(join(folder, "example-runner.mjs"), half, root)),
  );
  reports = new Map(ended.flatMap((half) => [...half]));
}, 120_000); // the compilers read all examples together

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

for (const [text, found] of examples) {
  if (found.length === 0) continue;
  describe(text, () => {
    for (const example of found) {
      // G-package-3
      test(`line ${example.line} ${example.run ? "compiles and runs" : "compiles"}`, () => {
        const file = fileOf(text, example);
        expect(complaints.get(file) ?? []).toEqual([]);
        if (!example.run) return;
        const report = reports.get(bundleOf(file));
        expect([report?.program, report?.problem]).toEqual([bundleOf(file), undefined]);
        if (example.prints !== undefined) expect(report?.printed.trimEnd()).toBe(example.prints.trimEnd());
      });
    }
  });
}

function filesIn(name: string, pattern: RegExp): string[] {
  const files = readdirSync(join(root, name), { recursive: true, encoding: "utf8" });
  return files.filter((file) => pattern.test(file)).map((file) => `${name}/${file.replaceAll("\\", "/")}`);
}

function examplesOf(file: string, find: (text: string) => Example[]): Example[] {
  try {
    return find(readFileSync(join(root, file), "utf8"));
  } catch (error) {
    throw new Error(`The examples of ${file} cannot be read`, { cause: error });
  }
}

function fileOf(text: string, { line }: Example): string {
  return join(folder, `${text.replaceAll(/[^\w]+/g, "-")}-${line}.ts`);
}

/** Bundles all files together. They share their modules, so a process loads each of these once. */
async function bundle(files: readonly string[]): Promise<void> {
  await build({
    entryPoints: files.map((file) => ({ in: file, out: basename(file, ".ts") })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    tsconfigRaw: readFileSync(join(root, "tsconfig.json"), "utf8"),
  });
}

function bundleOf(file: string): string {
  return file.replace(/\.ts$/, ".mjs");
}
