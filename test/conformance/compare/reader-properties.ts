import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonParser, type JsonValue, pipe } from "millrace";
import { applyPatch, type AnyPatchOperation } from "millrace/json";
import { measure } from "../../../scripts/size-measure.js";
import { benchFigure } from "./bench-figures.js";
import { type JsonReader, readers } from "./json-readers.js";
import { loadUntyped } from "../../support/load-untyped.js";

/** Checks for the cells about readers, by using the libraries. */
type Property = (library: string) => Promise<string> | string;

const root = join(import.meta.dirname, "../../..");

/** By the first cell of their row, without code marks. */
export const readerProperties: Readonly<Record<string, Property>> = {
  'a number, cut: {"v": 12 + 50}': async (library) => {
    const { values } = await reading(library, ['{"v": 12', "50}"]);
    return shown(values);
  },

  'an escape, cut: {"v": "caf\\u00 + e9"}': async (library) => {
    const { values } = await reading(library, ['{"v": "caf\\u00', 'e9"}']);
    return shown(values);
  },

  'a surrogate pair, cut: {"v": "\\ud83d + \\ude00"}': async (library) => {
    const { values } = await reading(library, ['{"v": "\\ud83d', '\\ude00"}']);
    return values.some(({ v }) => v === "\ud83d") ? "half is shown" : "complete or absent";
  },

  'a string in a list, cut: {"v": ["one", "tw + o"]}': async (library) => {
    const { values } = await reading(library, ['{"v": ["one", "tw', 'o"]}']);
    return values.some(({ v }) => Array.isArray(v) && v[1] === "tw") ? "shown" : "not shown";
  },

  'the text ends early: {"v": "hel': async (library) => {
    const { error } = await reading(library, ['{"v": "hel']);
    return error === undefined ? "no error" : "an error";
  },

  'text after the document: {"v": 1} + bye': async (library) => {
    const { error } = await reading(library, ['{"v": 1}', " bye"]);
    return error === undefined ? "skipped" : "an error";
  },

  "a fence, and prose around it": (library) =>
    finalOf(library, ["Sure:\n```json\n", '{"v": 1}', "\n```\nBye"], 1),

  "the same, with a fence inside a string": (library) =>
    finalOf(library, ['```json\n{"v": "a', '```js\\nb```"}\n```'], "a```js\nb```"),

  "nearly JSON: {'v': 1,} // no": (library) => finalOf(library, ["{'v': ", "1,} // no\n"], 1),

  "a line break in a string": (library) => finalOf(library, ['{"v": "a', '\nb"}'], "a\nb"),

  'the key __proto__: {"v": {"__proto__": {"x": 1}}}': async (library) => {
    const { values, error } = await reading(library, ['{"v": {"__proto__": {"x": 1}', "}}"]);
    if (error !== undefined) return "an error";
    const polluted = values.some(({ v }) => (v as { x?: unknown } | undefined)?.x === 1);
    return polluted ? "sets the prototype" : "a property";
  },

  "the value that a consumer receives": async (library) => {
    const values: { v: [object, ...unknown[]] }[] = [];
    const read = readers[library] as JsonReader;
    for await (const value of read(arriving(['{"v": [{"a": 1}, "b', "c", 'd"]}'])))
      values.push(value as never);
    const [first, , last] = values;
    if (first === last) return "the same value, changed";
    return first?.v[0] === last?.v[0] ? "a new value, unchanged parts `===`" : "a new value";
  },

  "JSON Patch": async (library) => {
    const chunks = ['{"v": ["on', 'e", "tw', 'o"], "n": nu', "ll}"];
    const whole = JSON.parse(chunks.join("")) as unknown;
    const patches = patchesOf[library];
    if (patches === undefined)
      return (await namesOf(library)).some((name) => /patch/i.test(name)) ? "?" : "no";
    let value: JsonValue | undefined = undefined;
    for await (const patch of patches(arriving(chunks))) value = applyPatch(value ?? null, patch);
    return JSON.stringify(value) === JSON.stringify(whole) ? "yes" : `ends as ${JSON.stringify(value)}`;
  },

  "closes the source when the consumer leaves": async (library) => {
    if (byHandOnly.has(library)) return "takes text, not a source";
    let closed = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        yield '{"v": ["a"';
        for (let more = 0; more < 1000; more++) {
          await new Promise(setImmediate);
          yield ', "b"';
        }
      } finally {
        closed = true;
      }
    }
    const source = endless();
    for await (const _ of (readers[library] as JsonReader)(source)) break;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    const wasClosed = closed;
    await source.return(undefined);
    return wasClosed ? "yes" : "no";
  },

  "reads the text again for each piece": async (library) => {
    const text = JSON.stringify({ v: Array.from({ length: 100 }, (_, index) => 1000 + index) });
    const pieces = text.match(/.{1,4}/g) ?? [];
    const parse = JSON.parse;
    let characters = 0;
    JSON.parse = (input: string, ...rest: []) => {
      if (text.includes(input) || input.startsWith('{"v"')) characters += input.length;
      return parse(input, ...rest) as unknown;
    };
    try {
      await reading(library, pieces);
    } finally {
      JSON.parse = parse;
    }
    return characters > 5 * text.length ? "yes" : "no";
  },

  "42 KB in pieces of 4 characters, ms": (library) => {
    const row = benchRow(library, "patches");
    return benchFigure("json", "As the document grows", row, "42 KB");
  },
  "2 MB in pieces of 4 characters, for await, ms": (library) =>
    byHandOnly.has(library)
      ? "–"
      : benchFigure("json", "As the document grows", benchRow(library, "patches"), "2048 KB"),
  "2 MB in pieces of 4 characters, called directly, ms": (library) =>
    library === "jsonriver"
      ? "–"
      : benchFigure("json", "As the document grows", benchRow(library, "write + takePatch"), "2048 KB"),
  "1 MB in pieces of 1 to 8 characters, for await, ms": (library) =>
    byHandOnly.has(library) ? "–" : benchFigure("json", "Every reader", benchRow(library, "patches"), "1-8"),
  "1 MB in pieces of 1 to 8 characters, called directly, ms": (library) =>
    library === "jsonriver"
      ? "–"
      : benchFigure("json", "Every reader", benchRow(library, "write + takePatch"), "1-8"),
  "1 MB, a value for each 64 characters, ms": (library) =>
    benchFigure("json", "Every reader", benchRow(library, "snapshots"), "64"),
  "the same, for an object of many records, as fast as jsonriver": (library) => {
    const column = "snapshots, strict, 64: as fast as jsonriver";
    if (library === "millrace") return benchFigure("json", "The same on every document", "orders", column);
    return library === "jsonriver" ? "1" : "–";
  },

  "1 MB, one value changed in place, read each 64 characters, ms": (library) =>
    benchFigure("json", "Every reader", benchRow(library, "live value"), "64"),

  "KB in a page, minified and gzipped": async (library) => {
    const platform = library === "stream-json" ? "node" : "browser";
    const [size] = await measure([{ what: library, code: entries[library] as string }], platform);
    return (Number(size?.gzipped) / 1024).toFixed(1);
  },

  dependencies: (library) => {
    const { dependencies = {} } = packageOf(library) as { dependencies?: object };
    return String(Object.keys(dependencies).length);
  },

  version: (library) => (packageOf(library) as { version: string }).version,
};

/** Libraries with a push interface. Their loops in `readers` are ours. */
const byHandOnly: ReadonlySet<string> = new Set(["partial-json", "@streamparser/json", "stream-json"]);

const { JsonOutputParser } = await loadUntyped<{
  readonly JsonOutputParser: new (options: { readonly diff: boolean }) => {
    transform(source: AsyncIterable<string>, config: object): AsyncIterable<readonly AnyPatchOperation[]>;
  };
}>("@langchain/core/output_parsers");

type Patches = (source: AsyncIterable<string>) => AsyncIterable<readonly AnyPatchOperation[]>;

const patchesOf: Readonly<Record<string, Patches>> = {
  millrace: (source) => pipe(source, jsonParser().patches),
  "LangChain.js": (source) => new JsonOutputParser({ diff: true }).transform(source, {}),
};

/** The code that a page has to load for it. */
const entries: Readonly<Record<string, string>> = {
  millrace: 'export { JsonParser } from "millrace/json";',
  jsonriver: 'export { parse } from "jsonriver";',
  "partial-json": 'export { parse } from "partial-json";',
  "@streamparser/json": 'export { JSONParser } from "@streamparser/json";',
  "stream-json":
    'export { jsonParser } from "stream-json/core/parser.js"; export { Assembler } from "stream-json/core/assembler.js";',
  "LangChain.js": 'export { JsonOutputParser } from "@langchain/core/output_parsers";',
  "AI SDK": 'export { parsePartialJson } from "ai";',
  "openai SDK": 'export { OpenAI } from "openai";',
};

const packages: Readonly<Record<string, string>> = {
  "LangChain.js": "@langchain/core",
  "AI SDK": "ai",
  "openai SDK": "openai",
};

interface Reading {
  readonly values: readonly { readonly v?: unknown }[];
  readonly error: unknown;
}

/** The values of a document as copies, and its error. */
async function reading(library: string, pieces: readonly string[]): Promise<Reading> {
  const values: { readonly v?: unknown }[] = [];
  try {
    for await (const value of (readers[library] as JsonReader)(arriving(pieces))) {
      const copy = copyOf(value);
      if (typeof copy === "object" && copy !== null) values.push(copy);
    }
    return { values, error: undefined };
  } catch (error) {
    return { values, error };
  }
}

/** Keeps a prototype that the text has set, unlike a clone. */
function copyOf(value: unknown): { readonly v?: unknown } | null {
  if (typeof value !== "object" || value === null) return null;
  const v: unknown = (value as { v?: unknown }).v;
  const polluted = typeof v === "object" && v !== null && "x" in v ? { x: v.x } : undefined;
  return polluted === undefined ? structuredClone(value) : { v: polluted };
}

async function* arriving(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await new Promise(setImmediate); // each piece is a separate read
  }
}

/** The values of `v`, in order. */
function shown(values: Reading["values"]): string {
  const seen = values.flatMap(({ v }) => (v === undefined ? [] : [`\`${JSON.stringify(v)}\``]));
  return seen.filter((value, index) => value !== seen[index - 1]).join(", ");
}

async function finalOf(library: string, pieces: readonly string[], wanted: unknown): Promise<string> {
  const { values, error } = await reading(library, pieces);
  if (error !== undefined) return "an error";
  const v = values.at(-1)?.v;
  if (v === wanted) return "read";
  return v === undefined ? "nothing is read" : `read as \`${JSON.stringify(v)}\``;
}

async function namesOf(library: string): Promise<string[]> {
  const modules: Readonly<Record<string, string>> = { "stream-json": "stream-json/core/parser.js" };
  const module = await loadUntyped(modules[library] ?? packages[library] ?? library);
  return Object.keys(module);
}

function benchRow(library: string, ours: string): string {
  const rows: Readonly<Record<string, string>> = { millrace: ours, "LangChain.js": "JsonOutputParser" };
  return rows[library] ?? library;
}

function packageOf(library: string): unknown {
  const folder = library === "millrace" ? root : join(root, "node_modules", packages[library] ?? library);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
