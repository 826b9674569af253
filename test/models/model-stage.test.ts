import {
  batchInvoke,
  chatPrompt,
  collect,
  compose,
  from,
  invoke,
  jsonParser,
  modelStream,
  pipe,
  promptTemplate,
  textOf,
} from "millrace";
import { generate } from "millrace/models";
import { operatorLaws, scriptedModel, spySource } from "millrace/testing";
import { ixOperator } from "millrace/ix";
import { expect, test } from "vitest";

const echo = scriptedModel(({ messages }) => [`{"dish": "${textOf(messages.at(-1) as never)}`, `"}`]);
const chain = compose(promptTemplate("{dish}!").operator, modelStream(echo), jsonParser().final);

test("a prompt, a model and a parser are one pipeline", async () => {
  const prompt = chatPrompt([["system", "Be brief."], "A recipe for {dish}"]);
  const parts = pipe(from([{ dish: "tea" }]), prompt.operator, modelStream(echo), jsonParser().stream);
  expect((await collect(parts)).at(-1)).toEqual({ dish: "A recipe for tea" });
});

test("the pipeline can be called, for one value or for many", async () => {
  expect(await invoke(chain, { dish: "tea" })).toEqual({ dish: "tea!" });
  const dishes = ["tea", "rice", "soup"].map((dish) => ({ dish }));
  expect(await batchInvoke(chain, dishes, { concurrency: 2 })).toEqual(
    dishes.map(({ dish }) => ({ dish: `${dish}!` })),
  );
});

test("it works in the pipes of Ix", async () => {
  expect(await collect(ixOperator(chain)(from([{ dish: "tea" }])))).toEqual([{ dish: "tea!" }]);
});

test("prompts are sent one after the other, each when the answer before it was read", async () => {
  const sent: string[] = [];
  const model = scriptedModel(({ messages }) => {
    sent.push(textOf(messages[0] as never));
    return ["a", "b"];
  });
  const source = spySource(["1", "2"]);
  const chunks = pipe(source, modelStream(model))[Symbol.asyncIterator]();
  await chunks.next();
  expect([sent, source.pulls]).toEqual([["1"], 1]);
  await collect({ [Symbol.asyncIterator]: () => chunks });
  expect(sent).toEqual(["1", "2"]);
});

test("the error of an answer closes the prompts", async () => {
  const error = new Error("refused");
  const model = scriptedModel(() => {
    throw error;
  });
  const source = spySource(["1", "2"]);
  await expect(collect(pipe(source, modelStream(model)))).rejects.toBe(error);
  expect([source.pulls, source.returns]).toEqual([1, 1]);
});

test("an unknown option is refused at once", () => {
  expect(() => modelStream(echo, { temp: 1 } as never)).toThrow(/temp/);
});

test("only a model is accepted, and no name of one", async () => {
  expect(() => modelStream("openai:gpt-6.1-terra" as never)).toThrow(
    /^modelStream\(\) expects a model, .* string/,
  );
  await expect(generate(undefined as never, ["a"])).rejects.toThrow(
    /^generate\(\) expects a model, .* undefined/,
  );
});

// G-stream-1
test("modelStream() keeps the laws of operators", async () => {
  const model = scriptedModel(({ messages }) => [textOf(messages[0] as never), "."]);
  for (const law of operatorLaws(() => modelStream(model), { inputs: ["a", "b", "c"] })) await law.check();
});
