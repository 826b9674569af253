import { type Chunk, jsonParser, type JsonPatch, type Operator } from "millrace";
import { applyPatch } from "millrace/json";
import { everyWay, operatorLaws } from "millrace/testing";
import { describe, test } from "vitest";
import { z } from "zod";

// G-stream-1
describe("the views of jsonParser() keep the laws:", () => {
  const schema = z.object({ a: z.array(z.union([z.number(), z.string()])), b: z.object({ c: z.null() }) });
  const inputs = ['{"a": [1, "x', 'y"], ', '"b": {"c": nu', "ll}}"];
  const cut = (): Iterable<readonly string[]> => everyWay(inputs.join(""), { count: 20 });
  const newest = (outputs: readonly unknown[]): unknown => outputs.at(-1);
  const sum = (outputs: readonly unknown[]): unknown => applyPatch(null, (outputs as JsonPatch[]).flat());
  const views: [string, () => Operator<Chunk, unknown>, ((outputs: readonly unknown[]) => unknown)?][] = [
    [".stream", () => jsonParser().stream, newest],
    [".stream, with a schema", () => jsonParser(schema).stream, newest],
    [".patches", () => jsonParser().patches, sum],
    [".patches with append, with a schema", () => jsonParser(schema, { append: true }).patches, sum],
    [".items()", () => jsonParser().items("/a")],
    [".items(), with a schema", () => jsonParser(schema).items("/a", z.union([z.number(), z.string()]))],
    [".final", () => jsonParser().final],
    [".final, with a schema", () => jsonParser(schema).final],
  ];
  for (const [view, create, result] of views) {
    const laws = operatorLaws<Chunk, unknown>(create, { inputs, cut, ...(result && { result }) });
    test.concurrent.each(laws)(`${view} $name`, (law) => law.check());
  }
});
