import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** What a user gets: the tarball that npm would publish, unpacked and used. Runs on the dist only. */

const root = join(import.meta.dirname, "../..");

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

describe("the packed package", () => {
  let folder: string;
  let home: string;
  let files: readonly string[];
  let manifest: Manifest;

  beforeAll(() => {
    mkdirSync(join(root, "temp"), { recursive: true });
    folder = mkdtempSync(join(root, "temp/packed-"));
    const npm = (...args: string[]): string =>
      execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const packed = JSON.parse(
      npm("pack", "--json", "--ignore-scripts", "--pack-destination", folder),
    ) as readonly [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }];
    files = packed[0].files.map(({ path }) => path);
    // Unpacked where a user's node_modules would hold it, beside the dependencies that are installed here.
    home = join(folder, "node_modules/millrace");
    mkdirSync(home, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, packed[0].filename), "-C", home, "--strip-components=1"]);
    symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
    manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
  }, 60_000);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("holds what package.json points to", () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : [entry.types, entry.default],
    );
    const missing = [...targets, ...Object.values(manifest.bin)].filter(
      (path) => !existsSync(join(home, path)),
    );
    expect(missing).toEqual([]);
  });

  // G-package-2
  test("holds nothing but the build, its sources and the papers", () => {
    const papers = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
    expect(files.filter((path) => !/^(dist|src)\//.test(path)).sort()).toEqual(papers);
  });

  test("has the source behind every map, so that an editor can go to it", () => {
    const missing = files
      .filter((path) => path.endsWith(".map"))
      .filter((path) => {
        const map = JSON.parse(readFileSync(join(home, path), "utf8")) as {
          readonly sources: readonly string[];
        };
        return map.sources.some((source) => !existsSync(join(home, dirname(path), source)));
      });
    expect(missing).toEqual([]);
  });

  // G-package-2
  test("is imported by a program of the user through each of its entries", () => {
    const names = Object.keys(manifest.exports)
      .filter((path) => path !== "./package.json")
      .map((path) => path.replace(".", "millrace"));
    const program = join(folder, "program.mjs");
    writeFileSync(
      program,
      names
        .map((name, i) => `import * as m${i} from "${name}"; console.log(Object.keys(m${i}).length > 0);`)
        .join("\n"),
    );
    const printed = execFileSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
    expect(printed.trim().split("\n")).toEqual(names.map(() => "true"));
  });

  test("runs as a command", () => {
    const [command] = Object.values(manifest.bin) as [string];
    const printed = execFileSync(process.execPath, [join(home, command), "--version"], { encoding: "utf8" });
    expect(printed.trim()).toBe(manifest.version);
  });
});
