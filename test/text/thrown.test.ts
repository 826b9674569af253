import { describe, expect, test } from "vitest";
import { fieldOf, isInstance } from "#src/text/thrown.js";
import { messageOf } from "#src/text/excerpt.js";
import { hostileErrors } from "./support/hostile-errors.js";

describe.each(Object.entries(hostileErrors))("of %s,", (_name, create) => {
  test("the class, the message and each field can be asked for", () => {
    const thrown = create();
    expect(isInstance(thrown, Error)).toBeTypeOf("boolean");
    expect(messageOf(thrown)).toBeTypeOf("string");
    for (const key of ["name", "code", "cause", "stack"]) expect(() => fieldOf(thrown, key)).not.toThrow();
  });
});

test("an error is an instance of its classes", () => {
  expect(isInstance(new RangeError("x"), RangeError)).toBe(true);
  expect(isInstance(new RangeError("x"), Error)).toBe(true);
  expect(isInstance(new RangeError("x"), TypeError)).toBe(false);
  expect(isInstance("x", Error)).toBe(false);
});
