import { tool } from "millrace";
import { renderTools, renderToolsWithArgs } from "millrace/agent";
import { expect, test } from "vitest";
import { z } from "zod";

const tools = [
  tool({
    name: "weather",
    description: "How warm it is.",
    schema: z.object({ city: z.string(), user: z.string() }),
    inject: { user: () => "Ann" },
    run: () => "",
  }),
  tool({ name: "ask", run: () => "" }),
  { name: "either", description: "One or the other.", parameters: { anyOf: [{ type: "object" }] } },
];

test("a signature has types, defaults, and what may be left out", () => {
  const search = tool({
    name: "search",
    description: "Looks something up.",
    schema: z.object({
      query: z.string(),
      maxResults: z.int().default(10),
      sort: z.enum(["date", "name"]).optional(),
      tags: z.array(z.string()),
      since: z.number().nullable(),
      area: z.object({ city: z.string() }),
    }),
    run: () => "",
  });
  expect(renderTools([search])).toBe(
    'search(query: string, maxResults = 10, sort?: "date" | "name", tags: string[], since: number | null, area: object) - Looks something up.',
  );
});

test("tools are listed one per line, with their arguments", () => {
  expect(renderTools(tools)).toBe(
    "weather(city: string) - How warm it is.\nask(input: string)\neither() - One or the other.",
  );
  expect(renderToolsWithArgs(tools)).toBe(
    [
      'weather: How warm it is., args: {"city":{"type":"string"}}',
      'ask, args: {"input":{"type":"string"}}',
      'either: One or the other., args: {"anyOf":[{"type":"object"}]}',
    ].join("\n"),
  );
  expect(renderTools([])).toBe("");
});
