import { expect, it } from "vitest";
import { notParsed, type ParsedAgain, parsedAgain } from "../../src/page/card/parse-again.js";

function again(...texts: string[]): ParsedAgain {
  return texts.reduce(parsedAgain, notParsed);
}

it("counts values that were shown and then replaced, but not texts that grew", () => {
  expect(again('{"a": "Gr', '{"a": "Green", "n": [1', '{"a": "Green", "n": [12]}')).toEqual({
    value: { a: "Green", n: [12] },
    parses: 3,
    failures: 0,
    takenBack: 1,
  });
});

it("keeps the value of before when the text cannot be parsed", () => {
  expect(again('{"a": 1', "Sure: {")).toMatchObject({ value: { a: 1 }, parses: 2, failures: 1 });
});
