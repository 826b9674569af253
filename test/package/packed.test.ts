import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** The tarball that npm would publish, unpacked and used like by a user. */

const root = join(import.meta.dirname, "../..");

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

interface Packed {
  readonly filename: string;
  /** The size of the tarball in bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

describe("the packed package", () => {
  let folder: string;
  let home: string;
  let files: readonly string[];
  let size: number;
  let manifest: Manifest;

  beforeAll(() => {
    mkdirSync(join(root, "temp"), { recursive: true });
    folder = mkdtempSync(join(root, "temp/packed-"));
    const npm = (...args: string[]): string =>
      execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const packed = JSON.parse(
      npm("pack", "--json", "--ignore-scripts", "--pack-destination", folder),
    ) as readonly [Packed];
    files = packed[0].files.map(({ path }) => path);
    size = packed[0].size;
    // Unpacked into a user's node_modules, with the dependencies that are installed here.
    home = join(folder, "node_modules/millrace");
    mkdirSync(home, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, packed[0].filename), "-C", home, "--strip-components=1"]);
    symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
    manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
  }, 60_000);

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("contains the files that package.json refers to", () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : [entry.types, entry.default],
    );
    const missing = [...targets, ...Object.values(manifest.bin)].filter(
      (path) => !existsSync(join(home, path)),
    );
    expect(missing).toEqual([]);
  });

  // G-package-2
  test("contains only the build and the documents", () => {
    const papers = ["LICENSE", "README.md", "README.zh-CN.md", "docs/llms.txt", "package.json"];
    const pages = /^docs\/(?:learn|protocols|reference|zh)\/.*\.md$/;
    const others = files.filter((path) => !path.startsWith("dist/") && !pages.test(path));
    expect(others.sort()).toEqual(papers);
  });

  test("has fewer than 140 files of code with less than 725 KB, and pages with less than 290 KB", () => {
    const pages = files.filter((path) => path.startsWith("docs/") || path.endsWith(".md"));
    const ofPages = gzipSync(pages.map((path) => readFileSync(join(home, path), "utf8")).join("")).length;
    expect(pages.length).toBeLessThan(90);
    expect(ofPages).toBeLessThan(290_000);
    expect(files.length - pages.length).toBeLessThan(140);
    expect(size - ofPages).toBeLessThan(725_000);
  });

  test("shows a short line of the code at an error, and with source maps its source", () => {
    const program = join(folder, "error.mjs");
    writeFileSync(program, 'import { JsonParser } from "millrace/json";\nnew JsonParser().write("}");\n');
    const printed = (...flags: string[]): string =>
      spawnSync(process.execPath, [...flags, program], { encoding: "utf8" }).stderr;
    const plain = printed();
    expect(plain).toContain("JsonParseError: Expected");
    expect(plain.split("\n").filter((line) => line.length > 120)).toEqual([]);
    expect(plain).toContain(`${program}:2:`);
    expect(printed("--enable-source-maps")).toMatch(/src\/json\/parser\.ts:\d+/);
  });

  test("imports only its dependencies, and its optional peers", () => {
    const allowed = new Set(
      [manifest.dependencies ?? {}, manifest.peerDependencies].flatMap((packages) => Object.keys(packages)),
    );
    const code = files.filter((path) => /^dist\/(shared\/)?[^/]+\.(js|d\.ts)$/.test(path));
    const imported = code.flatMap((path) =>
      [
        ...readFileSync(join(home, path), "utf8").matchAll(/^(?:import|export)\b[^;"]*"([^".][^"]*)";$/gm),
      ].map(([, name = ""]) => name),
    );
    const packages = imported
      .filter((name) => !name.startsWith("node:"))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    expect(packages.length).toBeGreaterThan(0);
    expect([...new Set(packages)].filter((name) => !allowed.has(name))).toEqual([]);
  });

  // Each further file takes a millisecond or two at import.
  test.each([
    ["json", ["base", "json", "parser"]],
    ["xml", ["base", "xml"]],
    ["client", ["base", "client"]],
  ])("loads few files for millrace/%s", (entry, expected) => {
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const code = readFileSync(join(home, path), "utf8");
      for (const [, file] of code.matchAll(/from ?"\.\/(?:shared\/)?([^"]+)"/g)) load(`dist/shared/${file}`);
    };
    load(`dist/${entry}.js`);
    expect(loaded).toEqual(
      new Set([`dist/${entry}.js`, ...expected.map((name) => `dist/shared/${name}.js`)]),
    );
  });

  test("has one class for each error, in all entries", () => {
    const program = join(folder, "identity.mjs");
    writeFileSync(
      program,
      `import { MillraceError, pipe } from "millrace";
import { JsonParseError, JsonParser } from "millrace/json";
       import * as client from "millrace/client";
       import * as json from "millrace/json";
       import { gemini } from "millrace/gemini";
       try { new json.JsonParser().write("}"); } catch (error) { console.log(error instanceof JsonParseError); }
       console.log(json.JsonParser === JsonParser, new client.ClientError("aborted", "") instanceof MillraceError);
       try { gemini({ model: "m", apiKey: "" }); } catch (error) { console.log(error instanceof MillraceError); }`,
    );
    const printed = execFileSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
    expect(printed.trim().split("\n")).toEqual(["true", "true true", "true"]);
  });

  // G-package-2
  test("can be imported by a user's program through each entry", () => {
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

  test("has a command that runs", () => {
    const [command] = Object.values(manifest.bin) as [string];
    const printed = execFileSync(process.execPath, [join(home, command), "--version"], { encoding: "utf8" });
    expect(printed.trim()).toBe(manifest.version);
    const patches = execFileSync(process.execPath, [join(home, command), "json"], {
      encoding: "utf8",
      input: '{"tea": "green"}',
    });
    expect(patches.trim()).toBe('[{"op":"replace","path":"","value":{"tea":"green"}}]');
  });

  test("has a playground that serves its page", async () => {
    const [command] = Object.values(manifest.bin) as [string];
    const child = spawn(process.execPath, [join(home, command), "playground", "--port", "0", "--no-open"]);
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      const response = await fetch(/http:\S+/.exec(line.toString())?.[0] ?? "");
      expect(await response.text()).toContain("<title>");
    } finally {
      child.kill();
    }
  });
});
