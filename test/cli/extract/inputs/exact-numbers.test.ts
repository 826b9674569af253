import { expect, test } from "vitest";
import { exactNumbers } from "#src/cli/extract/inputs/exact-numbers.js";

test.each([
  [
    '{"id": 1234567890123456789, "n": -9007199254740993}',
    '{"id": "1234567890123456789", "n": "-9007199254740993"}',
  ],
  ["[0.12345678901234567890, 1e400, 1e-400]", '["0.12345678901234567890", "1e400", "1e-400"]'],
  ...[
    "[9007199254740991, -0, 0.0, 0.30000000000000004, 1.50, 1E3, -120e+5, 100000000000000000000, 1e21, 5e-324]",
    String.raw`{"a \" 1234567890123456789": "\\", "b\u0031234567890123456789": "1234567890123456789"}`,
    "[]",
  ].map((json) => [json, json]),
])("numbers that a double would change are in quotes, and nothing else changes: %s", (json, exact) => {
  expect(exactNumbers(json)).toBe(exact);
});

test("a long number is read in one pass", () => {
  const digits = `1${"0".repeat(200_000)}1`;
  expect(exactNumbers(`[${digits}]`)).toBe(`["${digits}"]`);
});
