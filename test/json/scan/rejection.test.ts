import { describe, expect, test } from "vitest";
import { Rejection } from "#src/json/scan/rejection.js";

describe("a rejection", () => {
  test("creates its error once, when it is asked for", () => {
    let created = 0;
    const rejection = new Rejection(() => ({ number: ++created }));
    expect(created).toBe(0);
    expect(rejection.error).toBe(rejection.error);
    expect(created).toBe(1);
  });

  test.each([undefined, null, "text", new Error("x")])("of anything that was thrown has it: %s", (thrown) => {
    const rejection = Rejection.of(thrown);
    expect(rejection.error).toBe(thrown);
    expect(Rejection.of(rejection)).toBe(rejection);
  });
});
