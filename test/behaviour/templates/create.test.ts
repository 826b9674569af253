import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** `npm create millrace`, which runs `templates/create.js`. */

const root = join(import.meta.dirname, "../../..");
const templates = join(root, "templates");
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Without what a developer of the template has built. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter(
      (file) =>
        !/(^|\/)(node_modules|\.next|\.nuxt|\.output|\.svelte-kit|build|data|dist|next-env\.d\.ts)(\/|$)/.test(
          file,
        ),
    );
}

const names = manifestIn(templates).files.filter((file) => file !== "create.js");

describe("npm create millrace", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "millrace-create-"));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const create = (args: readonly string[], agent = "npm/11"): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [join(templates, "create.js"), ...args], {
      cwd: home,
      encoding: "utf8",
      input: "",
      env: { ...process.env, npm_config_user_agent: agent },
    });
  const filesOf = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

  test("writes the default template into a new folder, and says how to start it", () => {
    const { status, stdout } = create(["My App"]);
    expect(status).toBe(0);
    const manifest = manifestIn(join(home, "My App"));
    expect(manifest.name).toBe("my-app");
    expect(manifest.dependencies["millrace"]).toBe(`^${manifestIn(root).version}`);
    expect(manifest.dependencies).toHaveProperty("hono");
    expect(filesOf(join(home, "My App"))).toContain(".gitignore");
    expect(filesOf(join(home, "My App"))).not.toContain("_gitignore");
    const page = readFileSync(join(home, "My App/src/page.tsx"), "utf8");
    expect(page).toContain("<h1>my-app</h1>");
    expect(stdout).toMatch(/cd "My App"\n +npm install\n +npm run dev\n/);
  });

  test("names the app in all its files", () => {
    create(["soups", "--template", "nuxt"]);
    for (const file of ["package.json", "README.md", "nuxt.config.ts", "app/app.vue"]) {
      const text = readFileSync(join(home, "soups", file), "utf8");
      expect(text).toContain("soups");
      expect(text).not.toContain("my-app");
    }
  });

  test("uses the current folder, and the package manager that started it", () => {
    mkdirSync(join(home, ".git"));
    const { status, stdout } = create([".", "--template", "next", "--millrace", "file:../m.tgz"], "pnpm/9");
    expect(status).toBe(0);
    expect(manifestIn(home).dependencies).toMatchObject({
      millrace: "file:../m.tgz",
      next: expect.any(String) as string,
    });
    expect(stdout).toMatch(/Next:\n\n +pnpm install\n +pnpm run dev\n/);
  });

  test.each([
    { args: [], why: "no folder, and nobody to ask", says: "Name the folder" },
    { args: ["a", "b"], why: "two folders", says: "a, b" },
    {
      args: ["a", "--template", "nxt"],
      why: "an unknown template",
      says: "vite-hono, next, svelte, nuxt, chat",
    },
    { args: ["a", "--tempalte", "next"], why: "an unknown option", says: "--tempalte" },
    { args: ["full"], why: "a folder with files", says: "notes.md" },
    { args: ["full/notes.md"], why: "a file", says: "is a file" },
  ])("refuses $why, and writes nothing", ({ args, says }) => {
    mkdirSync(join(home, "full"));
    writeFileSync(join(home, "full/notes.md"), "mine");
    const { status, stderr } = create(args);
    expect(status).toBe(1);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("    at ");
    expect(filesOf(home)).toEqual(["full", "full/notes.md"]);
  });

  test("lists the templates in its help", () => {
    const { stdout } = create(["--help"]);
    for (const name of names) expect(stdout).toContain(`  ${name} `);
  });
});

describe("the package create-millrace", () => {
  test("has the version of millrace", () => {
    expect(manifestIn(templates).version).toBe(manifestIn(root).version);
  });

  test("is packed with every file of its templates", () => {
    const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const [packed] = JSON.parse(
      execFileSync("npm", args, { cwd: templates, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    ) as [{ readonly files: readonly { readonly path: string }[] }];
    const expected = names.flatMap((name) => filesIn(join(templates, name)).map((file) => `${name}/${file}`));
    expect(expected.length).toBeGreaterThan(10);
    expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(expected));
  });
});

describe.each(names)("the template %s", (name) => {
  const folder = join(templates, name);

  test("asks for the versions that are tested here", () => {
    const { dependencies, devDependencies, scripts } = manifestIn(folder);
    const ours = manifestIn(root).devDependencies;
    // Next and the checkers of Svelte and Vue use the interface for programs, which `tsc` of TypeScript 7 does not have.
    const compiler = ours[scripts["build"]?.startsWith("tsc") === true ? "@typescript/native" : "typescript"];
    const tested: Readonly<Record<string, string | undefined>> = {
      ...ours,
      typescript: compiler?.replace(/^npm:.*@/, ""),
    };
    const differing = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([dependency, version]) => dependency in tested && tested[dependency] !== version,
    );
    expect(differing).toEqual([]);
  });

  test("has the files that all templates share", () => {
    const textOf = (template: string, file: string): string => {
      const path = filesIn(join(templates, template)).find(
        (found) => found.endsWith(`/${file}`) && !found.includes("/api/"),
      );
      return readFileSync(join(templates, template, path ?? file), "utf8");
    };
    const own = name === "chat" ? [] : ["recipe.ts", "script.ts"];
    for (const file of ["model.ts", "devtools.ts", "style.css", ...own])
      expect(textOf(name, file)).toBe(textOf("vite-hono", file));
    expect(existsSync(join(folder, "README.md"))).toBe(true);
  });
});
