import { assistant, createAgent, type Message, system, textOf, tool, toolMessage, user } from "millrace";
import { clearToolResults, type ClearToolResultsOptions } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call } from "../../support/script.js";

const asks = (...ids: string[]): Message =>
  assistant(
    ids.map((id) => ({ type: "tool_call", id, name: id.startsWith("a") ? "read" : "list", args: { id } })),
  );
const result = (id: string): Message =>
  toolMessage(`The long result of ${id}.`, { toolCallId: id, status: "success" });

const conversation = [
  user("Hi"),
  asks("a1", "b2"),
  result("a1"),
  result("b2"),
  asks("a3"),
  result("a3"),
  assistant("Good."),
  user("More."),
];

/** The texts of the results that the model gets. */
async function results(
  options?: ClearToolResultsOptions,
  messages: readonly Message[] = conversation,
): Promise<string[]> {
  const model = scriptedModel(["ok"]);
  const agent = createAgent({ model, system: "Be kind.", middleware: [clearToolResults(options)] });
  const { state } = await agent.invoke(messages);
  expect(state.messages.slice(0, -1)).toEqual(messages);
  const shown = model.calls[0]?.messages.slice(1) ?? [];
  const others = (list: readonly Message[]): Message[] => list.filter(({ role }) => role !== "tool");
  expect(others(shown)).toEqual(others(messages));
  const ids = (list: readonly Message[]): string[] =>
    list.flatMap((it) => (it.role === "tool" ? it.toolCallId : []));
  expect(ids(shown)).toEqual(ids(messages));
  return shown.filter(({ role }) => role === "tool").map(textOf);
}

const [a1, b2, a3] = ["a1", "b2", "a3"].map((id) => `The long result of ${id}.`);

describe("the model gets", () => {
  test.each<[what: string, options: ClearToolResultsOptions, expected: unknown[]]>([
    ["the latest results", { keep: 1, note: "-" }, ["-", "-", a3]],
    ["no result", { keep: 0, note: "-" }, ["-", "-", "-"]],
    ["all of few results", { keep: 3, note: "-" }, [a1, b2, a3]],
    ["the results of other tools", { keep: 0, tools: ["read"], note: "-" }, ["-", b2, "-"]],
    [
      "a note on the call",
      { keep: 1, note: ({ name, args }) => `${name} ${JSON.stringify(args["id"])}` },
      ['read "a1"', 'list "b2"', a3],
    ],
    [
      "all results of a short conversation",
      { keep: 0, maxTokens: 9, countTokens: () => 1, note: "-" },
      [a1, b2, a3],
    ],
    [
      "notes in a long conversation",
      { keep: 0, maxTokens: 8, countTokens: ({ content }) => JSON.stringify(content).length, note: "-" },
      ["-", "-", "-"],
    ],
    ["no note that is longer than the result", { keep: 0, note: "x".repeat(99) }, [a1, b2, a3]],
  ])("%s", async (_, options, expected) => {
    expect(await results(options)).toEqual(expected);
  });

  test("three results without options", async () => {
    const long = [1, 2, 3, 4].flatMap((n) => [
      asks(`a${n}`),
      toolMessage("x".repeat(200), { toolCallId: `a${n}`, status: "success", artifact: n }),
    ]);
    const texts = await results(undefined, [user("Hi"), ...long, user("And?")]);
    expect(texts).toEqual([
      "[This result was removed to save space.]",
      ...Array<string>(3).fill("x".repeat(200)),
    ]);
  });

  test("all results that it has not seen", async () => {
    const model = scriptedModel(({ index }) =>
      index === 0
        ? [...call("1", "get", "{}"), ...call("2", "get", "{}")]
        : index === 1
          ? call("3", "get", "{}")
          : ["ok"],
    );
    const get = tool({ name: "get", schema: z.object({}), run: () => "a long result" });
    await createAgent({ model, tools: [get], middleware: [clearToolResults({ keep: 0, note: "-" })] }).invoke(
      "Hi",
    );
    const shown = model.calls.map(({ messages }) =>
      messages.filter(({ role }) => role === "tool").map(textOf),
    );
    expect(shown).toEqual([[], ["a long result", "a long result"], ["-", "-", "a long result"]]);
  });
});

test("media in a result are removed too", async () => {
  const model = scriptedModel(["ok"]);
  const image = toolMessage([{ type: "image", url: "https://example.com/a.png" }], { toolCallId: "a1" });
  const messages = [system("Hm."), user("Hi"), asks("a1"), image, assistant("Nice."), user("And?")];
  await createAgent({ model, middleware: [clearToolResults({ keep: 0, note: "-" })] }).invoke(messages);
  expect(model.calls[0]?.messages[3]).toEqual(toolMessage("-", { toolCallId: "a1" }));
});

test.each([{ keep: -1 }, { keep: 0.5 }, { maxTokens: -1 }, { kep: 1 }])("refuses %j", (options) => {
  expect(() => clearToolResults(options as ClearToolResultsOptions)).toThrow();
});
