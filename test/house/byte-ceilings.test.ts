import { describe, expect, test } from "vitest";
import { entryNames } from "../../scripts/entries.js";
import { measure } from "../../scripts/size-measure.js";

/**
 * What a page pays for. Each entry is bundled whole, and each use as an application's bundler does it, without what is
 * not used; minified and gzipped, with the third-party code it carries. Zod is the user's own and not counted.
 *
 * A ceiling is the size of today and a tenth. One that is hit is a question, not a nuisance: what came in, and is it
 * worth its bytes to everyone who uses this entry? Then raise it, with the reason.
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
    ceiling: 100_000,
    reason:
      "all that needs no provider: stages, the machines of JSON, lists and XML (with saxes), a JSON Schema validator and guard, parsers, messages, prompts, outputs, the wire, tools, the agent with its middleware and telemetry",
  },
  {
    what: "millrace/json",
    code: 'export * from "millrace/json";',
    ceiling: 17_800,
    reason: "the JSON parser with extraction and repair, and JSON Patch; no schemas, no stages",
  },
  {
    what: "millrace/xml",
    code: 'export * from "millrace/xml";',
    ceiling: 18_700,
    reason: "the XML parser with saxes, extraction and repair",
  },
  {
    what: "millrace/agent",
    code: 'export * from "millrace/agent";',
    ceiling: 58_000,
    reason: "agents with their middleware and telemetry, tools, a JSON Schema validator, the JSON parser",
  },
  {
    what: "millrace/openai",
    code: 'export * from "millrace/openai";',
    ceiling: 42_500,
    reason:
      "two APIs with a decoder and a request each, strict schemas, SSE and retries, and the JSON machine, which reads tool arguments as they grow, and what long chunks repeat by regular expressions",
  },
  {
    what: "millrace/anthropic",
    code: 'export * from "millrace/anthropic";',
    ceiling: 39_500,
    reason:
      "one decoder, one request with thinking, caching and citations, strict schemas; else as millrace/openai",
  },
  {
    what: "millrace/gemini",
    code: 'export * from "millrace/gemini";',
    ceiling: 41_500,
    reason: "one decoder with arguments as JSONPath patches, one request, schemas; else as millrace/openai",
  },
  {
    what: "millrace/ollama",
    code: 'export * from "millrace/ollama";',
    ceiling: 33_500,
    reason:
      "one decoder, one request, NDJSON, events read by their likeness, lists merged in linear time; else as millrace/openai",
  },
  {
    what: "millrace/serve",
    code: 'export * from "millrace/serve";',
    ceiling: 18_300,
    reason:
      "never in a page: responses with patches, the log in memory, runs as AG-UI and for the AI SDK with the messages of both, the bounds of a handler; who takes only the first has the size below",
  },
  {
    what: "millrace/redis",
    code: 'export * from "millrace/redis";',
    ceiling: 8_000,
    reason: "the log in Redis: two clients, five scripts, producer and follower; what of patches these need",
  },
  {
    what: "millrace/client",
    code: 'export * from "millrace/client";',
    ceiling: 4_096,
    reason: "promised in the issue: server-sent events, resuming, patches applied, the store",
  },
  {
    what: "millrace/react",
    code: 'export * from "millrace/react";',
    ceiling: 300,
    reason: "one hook on a store that is there already; promised: less than 1 KB",
  },
  {
    what: "millrace/ix",
    code: 'export * from "millrace/ix";',
    ceiling: 2_100,
    reason: "two functions around abortable(); Ix itself is not counted",
  },
  {
    what: "millrace/testing",
    code: 'export * from "millrace/testing";',
    ceiling: 26_000,
    reason: "never in a page; the ceiling shows that it carries no test runner",
  },
];

const uses: readonly Ceiling[] = [
  {
    what: "one stage",
    code: 'export { map, pipe } from "millrace";',
    ceiling: 1_800,
    reason: "pipe, map and the one primitive behind every stage, nothing of JSON",
  },
  {
    what: "patches served, without AG-UI, the AI SDK and bounds",
    code: 'export { memoryLog, toEventStream, toNodeResponse } from "millrace/serve";',
    ceiling: 8_300,
    reason:
      "the body of a response in three formats, the log in memory; what of stages, with the way past promises, and patches these need",
  },
  {
    what: "the JSON machine alone",
    code: 'export { JsonParser } from "millrace";',
    ceiling: 15_000,
    reason:
      "the synchronous machine with its error texts, extraction and repair, known keys, native runs and the hooks of a guard; no stages",
  },
];

describe("minified and gzipped, at most so many bytes are carried by", () => {
  for (const { what, code, ceiling } of [...entries, ...uses]) {
    // G-package-1
    test(`${what}: ${ceiling}`, async () => {
      const { gzipped: size } = await measure({ what, code });
      expect(size).toBeLessThanOrEqual(ceiling);
      expect(size, "so far below that the ceiling says nothing").toBeGreaterThan(ceiling / 2);
    });
  }
});

// G-package-1
test("every entry of the package has a ceiling", () => {
  expect(entryNames).toEqual(entries.map(({ what }) => what));
});
