import { collect, compose, from, invoke, jsonParser, map, mapAsync, pipe, type Operator } from "millrace";
import { toolFromOperator, runTool } from "millrace/agent";
import { spySource } from "millrace/testing";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { turn } from "../../stream/support/hand-fed.js";
import { eventsOf } from "../support.js";

const outline = toolFromOperator(
  compose(
    mapAsync((topic: string) => Promise.resolve(`{"title": "On ${topic}", "parts": [1]}`)),
    jsonParser().stream,
  ),
  { name: "outline", description: "Makes an outline." },
);

test("the outputs of the operator are progress, and the last is the result", async () => {
  const letters: Operator<string, string> = (words) => ({
    async *[Symbol.asyncIterator]() {
      for await (const word of words) yield* word;
    },
  });
  const spell = toolFromOperator(letters, { name: "spell" });
  const events = await eventsOf(spell, { input: "abc" });
  expect(events.map((event) => event.type === "error" || event.value)).toEqual(["a", "b", "c", "c"]);
  expect(events.at(-1)).toMatchObject({ type: "result", message: { content: [{ text: "c" }] } });
  expect((await eventsOf(spell, { input: "" })).map(({ type }) => type)).toEqual(["result"]);
});

test("it accepts the options of a tool and has its types", async () => {
  expect({ ...outline }).toMatchObject({ name: "outline", description: "Makes an outline." });
  expect(await collect(pipe(from(["mills"]), outline))).toEqual([{ title: "On mills", parts: [1] }]);
  const sum = toolFromOperator(
    map(({ a, b }: { a: number; b: number }) => a + b),
    { name: "sum", schema: z.object({ a: z.number(), b: z.number().default(1) }) },
  );
  expectTypeOf(await invoke(sum, { a: 1 })).toEqualTypeOf<number | undefined>();
  expect(await invoke(sum, { a: 1 })).toBe(2);
});

test("an error of the operator is an error of the tool", async () => {
  const error = new Error("boom");
  const failing = toolFromOperator(
    map<string, string>(() => {
      throw error;
    }),
    { name: "it" },
  );
  expect(await eventsOf(failing, { input: "" })).toMatchObject([{ type: "error", error }]);
});

test("leaving the run closes the operator, even one that hangs", async () => {
  const source = spySource<string>([], { then: "hang" });
  const hanging = toolFromOperator(() => source, { name: "it" });
  const events = runTool(hanging, { id: "1", name: "it", args: { input: "" } })[Symbol.asyncIterator]();
  void events.next();
  await turn();
  expect(source.inFlight).toBe(1);
  await events.return?.();
  expect(source.returns).toBe(1);
});
