import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { parserOf } from "../../support/parser-of.js";

const digits = "123456789";

describe("a number is the one that JSON.parse returns, however it is cut", () => {
  test.each([
    "0",
    "-0",
    "-0.0",
    "7",
    "-12.5",
    "0.1",
    "0.30000000000000004",
    "9007199254740991",
    "9007199254740993",
    "-9007199254740993",
    "999999999999999",
    "1000000000000000",
    "99999999999999.9",
    "999999999999999.9",
    `0.${"0".repeat(15)}${digits}`,
    `0.${"0".repeat(21)}1`,
    `0.${"0".repeat(22)}1`,
    `0.${"0".repeat(21)}7`,
    digits.repeat(3),
    `-${digits.repeat(3)}.${digits.repeat(3)}`,
    digits.repeat(40),
    "1e5",
    "-1.5E-7",
    "4.35e+2",
    "1e400",
  ])("%s", (text) => {
    for (const [before, after] of [
      ["[", "]"],
      ['{"a":', ',"b":1}'],
      ["[ 3,", " , -1.5]"],
    ] as const) {
      const document = before + text + after;
      for (const repair of [false, true]) {
        for (const chunks of everyCut(document)) {
          const parser = parserOf({ repair });
          for (const chunk of chunks) parser.write(chunk);
          parser.end();
          expect(parser.value).toStrictEqual(JSON.parse(document));
        }
      }
    }
  });
});
