import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadUntyped } from "../../support/load-untyped.js";
import { codeSpans, tableRows } from "../../house/support/markdown-tables.js";
import { runPeerCode } from "./run-peer-code.js";

/**
 * The migration pages name every export of the installed versions of LangChain and the AI SDK, and their examples with
 * those libraries run. The test fails if a new version of a library exports more.
 */

const root = join(import.meta.dirname, "../../..");
const langChain = read("docs/learn/migration/langchain.md");
const langChainNames = read("docs/learn/migration/langchain-names.md");
const aiSdk = read("docs/learn/migration/ai-sdk.md");

describe("the pages about LangChain", () => {
  const names = namesOnTheLeft(langChainNames + langChain);

  test.each([
    "@langchain/core/messages",
    "@langchain/core/outputs",
    "@langchain/core/output_parsers",
    "@langchain/core/output_parsers/openai_tools",
    "@langchain/core/output_parsers/openai_functions",
    "@langchain/core/tools",
    "@langchain/core/prompts",
    "@langchain/core/runnables",
    "langchain",
  ])("name every class and function of %s", async (module) => {
    const exported = await functionsOf(module);
    expect(exported.length).toBeGreaterThan(1);
    expect(exported.filter((name) => !names.has(name))).toEqual([]);
  });

  test("name every option of its createAgent()", () => {
    const types = read("node_modules/langchain/dist/agents/types.d.ts");
    const params = /type CreateAgentParams<[\s\S]*?> = \{\n([\s\S]*?)^\};/m.exec(types)?.[1] ?? "";
    const options = [...params.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = ""]) => name);
    expect(options).toContain("responseFormat");
    expect(options.filter((name) => !names.has(name))).toEqual([]);
  });

  test("show LangChain code with the same result as ours", async () => {
    const printed = await runPeerCode(langChain);
    const [partials, items, response, conversation, calls, answers] = printed;
    expect(partials?.slice(-2)).toEqual([
      "{ name: 'Sencha', minutes: 1 }",
      "{ name: 'Sencha', minutes: 10 }",
    ]);
    expect(items).toEqual(["[ 'boil' ]", "[ 'pour' ]"]);
    expect(response).toEqual(["{ tea: 'green', tins: 3 }"]);
    expect(conversation).toEqual(["waits: 1", "[ 'Ordered green.', 'Done.' ]"]);
    expect(calls).toEqual(["{ name: 'stock', args: { tea: 'green' }, id: '1', type: 'tool_call' }"]);
    expect(answers).toEqual(["[ 'Warm.', 'Cold.' ]"]);
    expect(printed).toHaveLength(6);
  });
});

describe("the page about the AI SDK", () => {
  const names = namesOnTheLeft(aiSdk);
  const types = read("node_modules/ai-7/dist/index.d.ts");

  test.each(["ai-7", "ai-7/test", "@ai-sdk/react"])(
    "names every class and function of %s",
    async (module) => {
      const exported = await functionsOf(module);
      expect(exported.length).toBeGreaterThan(2);
      expect(exported.filter((name) => !names.has(name))).toEqual([]);
    },
  );

  test("names every option of streamText()", () => {
    const destructured =
      /declare function streamTextInternal<[^(]*\(\{ (.*?), \.\.\.settings \}/.exec(types)?.[1] ?? "";
    const options = destructured
      .replace(/_internal: \{.*?\}/, "")
      .split(",")
      .map((option) => option.trim().split(":")[0] as string)
      .filter((option) => option !== "");
    expect(options).toContain("stopWhen");
    expect(options.filter((name) => !names.has(name))).toEqual([]);
  });

  test("names every part of the stream", () => {
    const shapes = types.matchAll(/^type TextStream\w+Part(?:<[^=]*>)? = \{\n([\s\S]*?)^\}/gm);
    const parts = new Set(
      [...shapes].map(([, shape = ""]) => /^ {2}type: '([a-z-]+)';/m.exec(shape)?.[1] ?? ""),
    );
    expect(parts).toContain("reasoning-delta");
    expect([...parts].filter((part) => !names.has(part))).toEqual([]);
  });

  test("shows AI SDK code with the same result as ours", async () => {
    const printed = await runPeerCode(aiSdk, { ai: "ai-7" });
    expect(printed).toEqual([
      ['200 {"title": "Sencha", "minutes": 10}'],
      [
        '[{"op":"replace","path":"","value":{"tea":"gr"}}]',
        '[{"op":"replace","path":"/tea","value":"green"},{"op":"add","path":"/tins","value":3}]',
      ],
      ["{ name: 'Sen' }", "{ name: 'Sencha', minutes: 1 }", "{ name: 'Sencha', minutes: 10 }"],
      ["boil", "pour"],
      ["green: 3 tins", "Three", " tins."],
      [""],
      ["true true"],
      [""],
      ["Hel", "lo."],
      [""],
    ]);
  });
});

/** The code in the first column, up to the end of the first name. Names in italics are Python names. */
function namesOnTheLeft(page: string): ReadonlySet<string> {
  const cells = tableRows(page).map(({ cells: [theirs = ""] }) =>
    theirs.replaceAll(/(?<!\w)_`.*?`_(?!\w)/g, ""),
  );
  return new Set(cells.flatMap((cell) => codeSpans(cell).map((span) => /^[\w-]+/.exec(span)?.[0] ?? span)));
}

async function functionsOf(module: string): Promise<string[]> {
  const exported = await loadUntyped(module);
  return Object.keys(exported).filter((name) => typeof exported[name] === "function");
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
