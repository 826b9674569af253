import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entryNames } from "../../scripts/entries.js";
import { measure, measured, type Size } from "../../scripts/size-measure.js";
import { offSizes } from "../../scripts/size-table.js";

/**
 * The bytes that an entry adds to a page. Each entry is bundled whole, and each use as an application's bundler does
 * it, with tree shaking; minified and gzipped, with third-party code. Zod belongs to the user and is not counted.
 *
 * A ceiling is the current size, rounded up. If a change exceeds one, decide whether it is worth its bytes to every
 * user of the entry. Then raise it, with the reason.
 */

interface Ceiling {
  readonly what: string;
  readonly code: string;
  /** Bytes, minified and gzipped. */
  readonly ceiling: number;
  readonly reason: string;
}

const entries: readonly Ceiling[] = [
  {
    what: "millrace",
    code: 'export * from "millrace";',
    ceiling: 175_800,
    reason:
      "everything except providers: one call for an object with its response and AG-UI, calls for many objects within rate limits, operators, the parsers for JSON, patches that continue after a refused one on their line, lists, XML (with saxes) and tool calls in nine text forms, a JSON Schema validator, a guard that coerces, messages, prompts, outputs, the wire, tools, the agent with its middleware and telemetry",
  },
  {
    what: "millrace/json",
    code: 'export * from "millrace/json";',
    ceiling: 32_000,
    reason:
      "the JSON parser with extraction and repair, which reads ahead to find where strings and keys end, refusals in 18 languages, and JSON Patch; no schemas, no operators",
  },
  {
    what: "millrace/schema",
    code: 'export * from "millrace/schema";',
    ceiling: 35_400,
    reason:
      "the guard, what Zod, Valibot and ArkType check, a JSON Schema validator with its formats, coercion; no parser. Each name alone needs 11 to 21 KB",
  },
  {
    what: "millrace/xml",
    code: 'export * from "millrace/xml";',
    ceiling: 19_400,
    reason: "the XML parser with saxes, extraction and repair",
  },
  {
    what: "millrace/agent",
    code: 'export * from "millrace/agent";',
    ceiling: 104_000,
    reason:
      "agents with models by name and their middleware and telemetry, tools, a JSON Schema validator, a guard that coerces, what Zod, Valibot and ArkType check, the JSON parser, patterns made when they are first used, objects that stay alive for V8",
  },
  {
    what: "millrace/durable",
    code: 'export * from "millrace/durable";',
    ceiling: 111_600,
    reason:
      "not used in pages: the agent, whose calls become steps, cancelled workflows of DBOS, the file journal with its lock, the end of a log, the batch endpoints of two providers with models by name and their lines of JSON",
  },
  {
    what: "millrace/openai",
    code: 'export * from "millrace/openai";',
    ceiling: 66_800,
    reason:
      "two APIs with a decoder and a request each, strict schemas whose references stay whole, what compatible servers require back, SSE with a short cut for similar events, retries, errors without keys, messages in the shapes of other libraries, and the JSON parser for growing tool arguments",
  },
  {
    what: "millrace/anthropic",
    code: 'export * from "millrace/anthropic";',
    ceiling: 62_600,
    reason:
      "one decoder, one request with thinking, caching and citations, strict schemas without circles; else like millrace/openai",
  },
  {
    what: "millrace/gemini",
    code: 'export * from "millrace/gemini";',
    ceiling: 64_300,
    reason:
      "one decoder with arguments as JSONPath patches and citations in linear time, one request, schemas; else like millrace/openai",
  },
  {
    what: "millrace/ollama",
    code: 'export * from "millrace/ollama";',
    ceiling: 55_500,
    reason: "one decoder, one request, NDJSON, lists merged in linear time; else like millrace/openai",
  },
  {
    what: "millrace/serve",
    code: 'export * from "millrace/serve";',
    ceiling: 23_200,
    reason:
      "not used in pages: responses with patches, responses that are kept and resumed, the log in memory, runs as AG-UI and for the AI SDK with the messages of both, the limits of a handler, the runs of useObject(); the first alone has the size below",
  },
  {
    what: "millrace/ui",
    code: 'export * from "millrace/ui";',
    ceiling: 96_000,
    reason:
      "patches of a model with repair, guard and schemas; the formats of json-render, A2UI and assistant-ui, and its store of streams",
  },
  {
    what: "millrace/redis",
    code: 'export * from "millrace/redis";',
    ceiling: 9_000,
    reason:
      "the log in Redis: two clients, six scripts, producer and follower, taking over, and the parts of patches that they need",
  },
  {
    what: "millrace/client",
    code: 'export * from "millrace/client";',
    ceiling: 7_800,
    reason:
      "server-sent events, the words of refused requests, resuming, applying patches, the store with its selected parts, and the runs of useObject()",
  },
  {
    what: "millrace/react",
    code: 'export * from "millrace/react";',
    ceiling: 8_000,
    reason:
      "useObject() and <Streamed> with all of the client that they need; the promise is 8 KB. React itself is not counted",
  },
  ...["vue", "svelte", "solid"].map((framework) => ({
    what: `millrace/${framework}`,
    code: `export * from "millrace/${framework}";`,
    ceiling: 7_900,
    reason: "like millrace/react",
  })),
  {
    what: "millrace/devtools",
    code: 'export * from "millrace/devtools";',
    ceiling: 170,
    reason: "a production build: probes that do nothing (test/client/devtools has the size in development)",
  },
  {
    what: "millrace/ix",
    code: 'export * from "millrace/ix";',
    ceiling: 2_200,
    reason: "two functions around abortable(); Ix itself is not counted",
  },
  {
    what: "millrace/testing",
    code: 'export * from "millrace/testing";',
    ceiling: 49_600,
    reason:
      "not used in pages; the laws of operators and journals, models that merge their chunks, with the JSON parser of growing calls; the ceiling shows that it contains no test runner",
  },
];

const uses: readonly Ceiling[] = [
  {
    what: "one operator",
    code: 'export { map, pipe } from "millrace";',
    ceiling: 2_500,
    reason:
      "pipe with its checks, map and the primitive of all operators, whose steps may be objects and may fail in any order; nothing of JSON",
  },
  {
    what: "one call for an object",
    code: 'export { streamObject } from "millrace";',
    ceiling: 103_200,
    reason: "the agent, of which it is a composition, and what serves it: toEventStream() and toAgUi()",
  },
  {
    what: "patches on a server, without AG-UI, the AI SDK and limits",
    code: 'export { memoryLog, nodeHandler, toEventStream } from "millrace/serve";',
    ceiling: 12_200,
    reason:
      "the body of a response in three formats, the log in memory, node:http with its checks of requests, the check of its options, and the parts of operators and patches that they need",
  },
  {
    what: "the store of patches",
    code: 'export { createPatchStore } from "millrace/client";',
    ceiling: 5_900,
    reason: "the client without the runs of useObject()",
  },
  {
    what: "only the JSON parser",
    code: 'export { JsonParser } from "millrace";',
    ceiling: 30_300,
    reason:
      "the synchronous parser with its error texts, extraction and repair, fast paths with member patterns, and the hooks of a guard; no operators",
  },
];

const sizes = new Map<string, Promise<Size>>();

/** Bundles each code once. */
async function sizeOf(what: string, code: string): Promise<Size> {
  const size = sizes.get(code) ?? measure({ what, code });
  sizes.set(code, size);
  return { ...(await size), what };
}

describe("the maximum size, minified and gzipped, of", () => {
  for (const { what, code, ceiling } of [...entries, ...uses]) {
    // G-package-1
    test(`${what}: ${ceiling}`, async () => {
      const { gzipped: size } = await sizeOf(what, code);
      expect(size).toBeLessThanOrEqual(ceiling);
      expect(size, "the ceiling is too high").toBeGreaterThan(ceiling / 2);
    });
  }
});

// G-package-1
test("every entry of the package has a ceiling", () => {
  expect(entryNames).toEqual(entries.map(({ what }) => what));
});

test("the sizes in the README are at most 2 % off; if not, run npm run size", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const now = await Promise.all(measured.map(({ what, code }) => sizeOf(what, code)));
  expect(offSizes(readme, now)).toEqual([]);
});
