import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docblockExamples, markdownExamples, type Example } from "./markdown-examples.js";

/**
 * Every example in the README, in docs/ and in the docblocks of the sources compiles, runs by itself and prints what it
 * says that it prints. How blocks are marked stands in markdown-examples.ts.
 */

const onDist = process.env["MILLRACE_DIST"] === "1";
const root = join(import.meta.dirname, "../..");
mkdirSync(join(root, "temp"), { recursive: true });
const folder = mkdtempSync(join(root, "temp/examples-"));

/** By the text that it stands in. */
const examples = new Map<string, readonly Example[]>();
for (const file of ["README.md", ...filesIn("docs", /\.md$/)]) {
  // Written by tools: API reports, the tables of benchmarks, the reference of names.
  if (!/^docs\/(api|benchmarks|reference)\//.test(file))
    examples.set(file, examplesOf(file, markdownExamples));
}
for (const file of filesIn("src", /\.tsx?$/)) examples.set(file, examplesOf(file, docblockExamples));

/** Filled by `beforeAll`, by the file of the example. */
let complaints: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const files: string[] = [];
  const programs: string[] = [];
  for (const [text, found] of examples) {
    for (const example of found) {
      files.push(fileOf(text, example));
      if (example.run) programs.push(fileOf(text, example));
      // As many lines before it as in its text, so that a complaint names the line to go to.
      writeFileSync(fileOf(text, example), `${"\n".repeat(example.line - 1)}${example.code}\nexport {};\n`);
    }
  }
  complaints = typeCheck(files);
  await bundle(programs.filter((file) => complaints.get(file)?.length === 0));
}, 120_000); // the compilers read every example at once

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

for (const [text, found] of examples) {
  if (found.length === 0) continue;
  describe(text, () => {
    for (const example of found) {
      // G-package-3
      test.concurrent(`line ${example.line} ${example.run ? "compiles and runs" : "compiles"}`, async () => {
        const file = fileOf(text, example);
        expect(complaints.get(file) ?? []).toEqual([]);
        if (!example.run) return;
        const printed = await run(file);
        if (example.prints !== undefined) expect(printed.trimEnd()).toBe(example.prints.trimEnd());
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

/** With the flags of the project, except that an example may leave a name unused. The dist has types of its own. */
function typeCheck(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => readFileSync(path, "utf8")) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(files, {
    ...options,
    noUnusedLocals: false,
    noUnusedParameters: false,
    ...(onDist && { paths: {} }),
  });
  const found = new Map<string, string[]>();
  for (const file of files) {
    const diagnostics = ts.getPreEmitDiagnostics(program, program.getSourceFile(file));
    found.set(
      file,
      diagnostics.map(({ start = 0, messageText, file: source }) => {
        const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
        return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
      }),
    );
  }
  return found;
}

/**
 * Makes a program of each file, where the package's names lead to the sources (or to the dist). All at once, so that the
 * sources are read once; and without source maps, as each process would read them.
 */
async function bundle(files: readonly string[]): Promise<void> {
  await build({
    entryPoints: [...files],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "silent",
    tsconfigRaw: onDist ? {} : readFileSync(join(root, "tsconfig.json"), "utf8"),
  });
}

/** Runs what was made of the file in a process of its own. */
async function run(file: string): Promise<string> {
  const program = file.replace(/\.ts$/, ".mjs");
  const { PATH } = process.env;
  const env = { ...(PATH !== undefined && { PATH }) }; // no keys, no proxies: an example runs for everyone
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    cwd: root,
    env,
    timeout: 20_000,
  });
  return stdout;
}
