import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import picomatch from "picomatch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "millrace";
import { globExpression, matchingFiles } from "#src/cli/extract/inputs/glob.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-glob-"));
  await mkdir(join(folder, "a/b"), { recursive: true });
  await mkdir(join(folder, ".hidden"));
  for (const name of ["1.txt", "2.md", "3[4].pdf", "a/3.txt", "a/b/4.txt", ".hidden/5.txt", "a/.6.txt"]) {
    await writeFile(join(folder, name), name);
  }
  await symlink(join(folder, "1.txt"), join(folder, "a/link.txt"));
  await symlink(folder, join(folder, "a/loop"));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ["*.txt", ["1.txt"]],
  ["**/*.txt", ["1.txt", "a/3.txt", "a/b/4.txt", "a/link.txt"]],
  ["a/**", ["a/3.txt", "a/b/4.txt", "a/link.txt"]],
  ["a", ["a/3.txt", "a/b/4.txt", "a/link.txt"]],
  ["a/3.txt", ["a/3.txt"]],
  ["**/.*.txt", ["a/.6.txt"]],
  [".hidden/*", [".hidden/5.txt"]],
  ["{1,2}.{txt,md}", ["1.txt", "2.md"]],
  ["[!1].*", ["2.md"]],
  ["3[4].pdf", ["3[4].pdf"]], // of a shell that has expanded *.pdf
])("%s matches %j", async (pattern, expected) => {
  const found = await collect(matchingFiles(join(folder, pattern)));
  // A folder that is named stands for all of its files, also hidden ones.
  const names = found
    .map((path) => path.slice(folder.length + 1))
    .filter((name) => pattern !== "a" || !name.includes("/."));
  expect(names.sort()).toEqual(expected);
});

test("an input without files, and a brace without an end, are refused", async () => {
  for (const name of ["none.txt", "*.csv", "none/*.txt"]) {
    await expect(collect(matchingFiles(join(folder, name)))).rejects.toThrow(name.slice(0, 4));
  }
  expect(() => globExpression("a/{b,c")).toThrow("{");
});

test("patterns match the same paths as those of picomatch", () => {
  const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((it) => !/^\.+$/.test(it));
  const paths = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  const part = fc.oneof(
    fc.constant("**"),
    fc.stringMatching(/^(?:[ab]|\*|\?|\[ab\]|\{a,b\}){1,3}$/).filter((it) => !it.includes("**")),
  );
  const patterns = fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/"))
    // A folder itself is no file in it.
    .filter((pattern) => !pattern.endsWith("/**") && !pattern.includes("**/**"));
  fc.assert(
    fc.property(patterns, paths, (pattern, path) => {
      expect([pattern, path, globExpression(pattern).test(path)]).toEqual([
        pattern,
        path,
        picomatch(pattern)(path),
      ]);
    }),
    { numRuns: 2_000 },
  );
});
