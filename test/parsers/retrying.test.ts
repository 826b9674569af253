import type { OutputParserError } from "millrace";
import {
  collect,
  commaSeparatedListParser,
  from,
  jsonParser,
  type MessageChunk,
  pipe,
  retrying,
  textOf,
} from "millrace";
import { operatorLaws, scriptedModel, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const review = z.object({ stars: z.int().max(5) });

// G-stream-1
describe("the views of retrying() obey the laws of an operator", () => {
  const parser = retrying(jsonParser(review), scriptedModel(['{"stars":', " 4}"]));
  const inputs = ['{"st', 'ars"', ": 3}"];
  for (const law of operatorLaws(() => parser.stream, { inputs }))
    test.concurrent(`stream: ${law.name}`, () => law.check());
  for (const law of operatorLaws(() => parser.final, { inputs }))
    test.concurrent(`final: ${law.name}`, () => law.check());
});

describe("retrying", () => {
  test("does not call the model if the output can be parsed", async () => {
    const model = scriptedModel([]);
    const parser = retrying(jsonParser(review), model);
    expect(await collect(pipe(from(['{"stars": 3}']), parser.final))).toEqual([{ stars: 3 }]);
    expect(model.calls).toHaveLength(0);
  });

  test("yields the parts of the first output, then those of the next from its beginning", async () => {
    const model = scriptedModel(['{"stars": ', "4}"]);
    const parser = retrying(jsonParser(review), model);
    expect(await collect(pipe(from(['{"sta', 'rs": 9', "}"]), parser.stream))).toEqual([
      {},
      {},
      { stars: 4 },
    ]);
  });

  test("sends the model its output, the error and the instructions", async () => {
    const model = scriptedModel(['{"stars": 4}']);
    const parser = jsonParser(review);
    const errors: OutputParserError[] = [];
    const again = retrying(parser, model, { onRetry: (error) => errors.push(error) });
    await collect(pipe(from(['{"stars"', ": 9}"]), again.final));
    const asked = model.calls[0]?.messages.map(textOf).join() ?? "";
    expect(asked).toContain('{"stars": 9}');
    expect(asked).toMatch(/\/stars\b.* 9\./);
    expect(asked).toContain(parser.instructions);
    expect(errors).toMatchObject([{ code: "schema" }]);
  });

  test("asks at most maxRetries times, and throws the last error", async () => {
    const model = scriptedModel(({ index }) => [`{"stars": ${index + 10}}`]);
    const parser = retrying(jsonParser(review), model, { maxRetries: 3 });
    await expect(collect(pipe(from(["nothing"]), parser.final))).rejects.toThrow(/\b12\b/);
    expect(model.calls).toHaveLength(3);
    const never = retrying(jsonParser(review), model, { maxRetries: 0 });
    await expect(collect(pipe(from(["nothing"]), never.final))).rejects.toMatchObject({ code: "truncated" });
    expect(model.calls).toHaveLength(3);
  });

  test.each([NaN, -1, 0.5])("refuses %d as maxRetries", (maxRetries) => {
    expect(() => retrying(jsonParser(), scriptedModel([]), { maxRetries })).toThrow(RangeError);
  });

  test("retries no other error, and closes the source", async () => {
    const model = scriptedModel(['{"stars": 4}']);
    const parser = retrying(jsonParser(review), model);
    const lost = new Error("lost");
    const failing = (async function* (): AsyncGenerator<string> {
      yield '{"stars"';
      await Promise.resolve();
      throw lost;
    })();
    await expect(collect(pipe(failing, parser.final))).rejects.toBe(lost);
    expect(model.calls).toHaveLength(0);

    const source = spySource(['{"stars": 9', "}", " ", " "]);
    for await (const _ of pipe(source, parser.stream)) break;
    expect(source.returns).toBe(1);
  });

  test("supports a parser without .final", async () => {
    const model = scriptedModel(["a, b", { content: [], finishReason: "stop" }]);
    const parser = retrying(commaSeparatedListParser(), model);
    const cut: MessageChunk[] = [
      { content: [{ type: "text", text: "a, " }] },
      { content: [], finishReason: "length" },
    ];
    expect(await collect(pipe(from(cut), parser.final))).toEqual([["a", "b"]]);
  });

  test("uses the option prompt", async () => {
    const model = scriptedModel(['{"stars": 4}']);
    const parser = retrying(jsonParser(review), model, { prompt: ({ output }) => `Again: ${output}` });
    await collect(pipe(from(["none"]), parser.final));
    expect(model.calls[0]?.messages.map(textOf)).toEqual(["Again: none"]);
  });
});
