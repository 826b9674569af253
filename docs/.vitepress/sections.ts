import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** A page of the API reference. */
export interface ApiSection {
  /** In the sidebar and in the title of the page. */
  readonly name: string;
  /** Of the file, without its extension. */
  readonly file: string;
  /** What its names are imported from. */
  readonly entry: string;
  readonly about: string;
  /** The statements that export its names, as a module in the root of the project would have them. */
  readonly exports: string;
}

const entries: Readonly<Record<string, string>> = {
  "./json": "the incremental JSON parser and JSON Patch, without schemas",
  "./xml": "the incremental XML parser",
  "./agent": "agents with their middleware, telemetry, tools and events",
  "./openai": "OpenAI, and every server that speaks one of its two protocols",
  "./anthropic": "Anthropic",
  "./gemini": "Gemini",
  "./ollama": "Ollama",
  "./serve": "patches and agents over the wire",
  "./redis": "runs that are kept in Redis",
  "./client": "patches from the wire, and the store that they fill",
  "./react": "the store in a component of React",
  "./ix": "operators of this package inside the `.pipe()` of Ix",
  "./testing": "the laws of an operator, cuts of a text, models that follow a script",
};

/**
 * The entries of package.json, each a section. The root has far more names than the others, so that it is divided where
 * src/index.ts divides it: at its comments of the form "// name: what it is about".
 */
export function apiSections(root: string): readonly ApiSection[] {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([path, entry]) => {
    if (typeof entry === "string") return [];
    const name = path.replace(/^\./, "millrace");
    const source = sourceOf(root, entry.default);
    if (path === ".") return sectionsOfRoot(readFileSync(join(root, source), "utf8"), name, source);
    const about = entries[path];
    if (about === undefined)
      throw new Error(`What is ${name} about? docs/.vitepress/sections.ts has to know it`);
    const file = path.slice(2).replaceAll("/", "-");
    return [{ name, file, entry: name, about, exports: `export * from "./${source}";\n` }];
  });
}

function sectionsOfRoot(text: string, entry: string, source: string): ApiSection[] {
  const [before = "", ...divided] = text.split(/^\/\/ /m);
  const sections = divided.map((part): ApiSection => {
    const [, name = "", about = "", exports = ""] = /^(\S+): (.*)\n([^]*)$/.exec(part) ?? [];
    if (name === "") throw new Error(`${source}: a section is "// name: what it is about", not "// ${part}"`);
    return { name, file: name, entry, about, exports: fromRoot(exports, source) };
  });
  // What stands above the first section belongs to none.
  const rest: ApiSection = {
    name: "errors",
    file: "errors",
    entry,
    about: "what all errors have in common",
    exports: fromRoot(before, source),
  };
  return [...sections, rest];
}

function fromRoot(exports: string, source: string): string {
  return exports
    .replaceAll(/ from "\.\//g, ` from "./${posix.dirname(source)}/`)
    .replaceAll(/\.js";/g, '.ts";');
}

function sourceOf(root: string, compiled: string): string {
  const source = compiled.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts");
  readFileSync(join(root, source));
  return source;
}
