import fc from "fast-check";
import { JsonParseError, type JsonRepair } from "millrace/json";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { parserOf } from "../support/parser-of.js";

interface Outcome {
  readonly value: unknown;
  readonly repairs: readonly JsonRepair[];
}

function read(chunks: Iterable<string>): Outcome {
  const repairs: JsonRepair[] = [];
  const parser = parserOf({ repair: "strings", onRepair: (repair) => repairs.push(repair) });
  for (const chunk of chunks) parser.write(chunk);
  parser.end();
  return { value: parser.value, repairs };
}

describe('repair: "strings"', () => {
  test("reads raw line breaks and tabs in values and keys, and reports each, for every cut", () => {
    const text = '{"a": "1\n2\r\n\t3", "b\n": ["\n"]}';
    const repairs = [8, 10, 11, 12, 19, 25].map((offset) => ({ kind: "control_character", offset }));
    for (const chunks of everyWay(text)) {
      expect(read(chunks)).toEqual({ value: { a: "1\n2\r\n\t3", "b\n": ["\n"] }, repairs });
    }
  });

  test.each(["{'a': 1}", '{"a": 1,}', '{"a": "\\q"}', "{a: 1}", '{"a": True}', '{"a": "b"', '{"a": "b\n'])(
    "accepts no other mistake: %s",
    (text) => {
      for (const chunks of everyWay(text)) expect(() => read(chunks)).toThrow(JsonParseError);
    },
  );

  test("reads valid JSON as JSON, and repairs nothing in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read([JSON.stringify(value)])).toEqual({
          value: JSON.parse(JSON.stringify(value)) as unknown,
          repairs: [],
        });
      }),
      { numRuns: 200 },
    );
  });
});
