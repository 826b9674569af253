import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

/** The packages, each with the files of its sources but its lists of public names. */
const sources = ["src", "playground/src"].map((name) => {
  const folder = join(import.meta.dirname, "../..", name);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return { name, folder, files: all.filter((file) => /(?<!\bindex)(?<!\.d)\.tsx?$/.test(file)) };
});

/** Names that several files export. */
const shared: ReadonlySet<string> = new Set([
  // The hook of each framework, in an entry of its own.
  "useObject",
  "useThread",
  // In code that the playground shows.
  "Page",
]);

test("a test is in a folder of src, or in one that CONTRIBUTING.md names", () => {
  const tests = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" });
  const folders = tests.filter((file) => file.endsWith(".test.ts")).map((file) => dirname(file));
  const others = /^(?:behaviour|conformance|house|package)\b/;
  expect(
    folders.filter(
      (folder) => !others.test(folder) && !existsSync(join(import.meta.dirname, "../../src", folder)),
    ),
  ).toEqual([]);
});

/** The rooms of models/ that are no provider. */
const noProviders = new Set(["adapters", "bridge", "contract", "dialect", "http", "wire"]);

describe("a provider", () => {
  const models = join(import.meta.dirname, "../../src/models");
  const folders = readdirSync(models, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !noProviders.has(entry.name))
    .map(({ name }) => name);
  const lacking = (folder: string, names: readonly string[]): string[] =>
    names.filter((name) => !existsSync(join(models, folder, `${name}.ts`)));

  test.each(folders)("%s has the files that each provider has", (name) => {
    expect(lacking(name, ["index", "model", "options", "endpoint", "profile", "schema"])).toEqual([]);
    // A provider with two APIs has a folder for each.
    const apis = ["chat", "responses"].filter((api) => existsSync(join(models, name, api)));
    for (const api of apis.length === 0 ? ["."] : apis)
      expect(lacking(join(name, api), ["request", "messages", "decoder"])).toEqual([]);
  });
});

describe.each(sources)("a source file of $name", ({ folder: source, files }) => {
  test("has a name in kebab-case", () => {
    expect(files.filter((file) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*\.tsx?$/.test(basename(file)))).toEqual([]);
  });

  test("has at most 14 neighbours, except in src itself", () => {
    const folders = new Set(files.map((file) => dirname(file)).filter((folder) => folder !== "."));
    const sizeOf = (folder: string): number => files.filter((file) => dirname(file) === folder).length;
    expect([...folders].filter((folder) => sizeOf(folder) > 15)).toEqual([]);
  });

  test("declares no type that another file declares", () => {
    expect(
      inSeveralFiles(source, files, /^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm),
    ).toEqual([]);
  });

  test("exports no function or constant that another file exports", () => {
    const twice = inSeveralFiles(source, files, /^export (?:async )?(?:function\*?|const) (\w+)/gm);
    expect(twice.filter(([name]) => !shared.has(name))).toEqual([]);
  });
});

/** The names that a pattern finds in more than one file, with the files. */
function inSeveralFiles(
  source: string,
  files: readonly string[],
  pattern: RegExp,
): (readonly [name: string, files: readonly string[]])[] {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const names = [...readFileSync(join(source, file), "utf8").matchAll(pattern)].map(
      ([, name = ""]) => name,
    );
    for (const name of new Set(names)) found.set(name, [...(found.get(name) ?? []), file]);
  }
  return [...found].filter(([, declaring]) => declaring.length > 1);
}
