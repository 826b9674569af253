import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { packageEntries } from "../../scripts/entries.js";

/** A page of the API reference. */
export interface ApiSection {
  /** The name in the sidebar and in the title of the page. */
  readonly name: string;
  /** The name of the file, without its extension. */
  readonly file: string;
  /** The entry that exports its names. */
  readonly entry: string;
  readonly about: string;
  /** The export statements of its names, relative to the root of the project. */
  readonly exports: string;
}

const entries: Readonly<Record<string, string>> = {
  "millrace/json": "the incremental JSON parser and JSON Patch, without schemas",
  "millrace/schema": "the checks of Zod, Valibot, ArkType and JSON Schema, each on its own",
  "millrace/xml": "the incremental XML parser",
  "millrace/agent": "agents with their middleware, telemetry, tools and events",
  "millrace/thread": "conversations with an agent: kept in a store, and served to pages",
  "millrace/durable": "runs that survive a crash: journals, and agents whose calls are steps",
  "millrace/models":
    "a model of your own: the contract, wire formats, candidates, the streams of other libraries",
  "millrace/openai": "OpenAI, and every server that speaks one of its two protocols",
  "millrace/anthropic": "Anthropic",
  "millrace/gemini": "Gemini",
  "millrace/ollama": "Ollama",
  "millrace/serve": "patches and agents over the wire",
  "millrace/ui": "user interfaces that a model writes, in the formats of json-render and assistant-ui",
  "millrace/mcp": "tools of MCP servers, and tools and agents for MCP clients",
  "millrace/redis": "runs that are kept in Redis",
  "millrace/client": "objects from a server: the store behind `useObject()`, and patches from the wire",
  "millrace/react": "an object from a server in a component of React",
  "millrace/vue": "the same for Vue",
  "millrace/svelte": "the same for Svelte 5",
  "millrace/solid": "the same for Solid",
  "millrace/ix": "operators of this package inside the `.pipe()` of Ix",
  "millrace/testing": "the laws of an operator, cuts of a text, models that follow a script",
};

/**
 * The sections of the API reference: one for each entry of the package. The root exports far more names than the
 * others, so it is divided at the comments of src/index.ts that have the form "// name: what it is about".
 */
export function apiSections(root: string): readonly ApiSection[] {
  return packageEntries(root).flatMap(({ name, file, source }) => {
    if (name === "millrace") return sectionsOfRoot(readFileSync(join(root, source), "utf8"), name, source);
    const about = entries[name];
    if (about === undefined) throw new Error(`Describe the entry ${name} in docs/.vitepress/sections.ts.`);
    // Sections of the root have plain names, such as `json`.
    return [
      { name, file: `millrace-${file}`, entry: name, about, exports: `export * from "./${source}";\n` },
    ];
  });
}

function sectionsOfRoot(text: string, entry: string, source: string): ApiSection[] {
  const [before = "", ...divided] = text.split(/^\/\/ /m);
  const sections = divided.map((part): ApiSection => {
    const [, name = "", about = "", exports = ""] = /^(\S+): (.*)\n([^]*)$/.exec(part) ?? [];
    if (name === "") throw new Error(`${source}: a section is "// name: what it is about", not "// ${part}"`);
    return { name, file: name, entry, about, exports: fromRoot(exports, source) };
  });
  // The exports above the first section.
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
