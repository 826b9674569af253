import { describe, expect, it } from "vitest";
import { outputMode } from "#src/cli/output/output-mode.js";
import { UsageError } from "#src/cli/terminal/usage-error.js";

describe("outputMode", () => {
  it("returns the requested mode, or undefined", () => {
    expect(outputMode({})).toBeUndefined();
    expect(outputMode({ patches: true })).toEqual({ kind: "patches", append: false });
    expect(outputMode({ append: true })).toEqual({ kind: "patches", append: true });
    expect(outputMode({ patches: true, append: true })).toEqual({ kind: "patches", append: true });
    expect(outputMode({ snapshots: true })).toEqual({ kind: "snapshots" });
    expect(outputMode({ items: "" })).toEqual({ kind: "items", pointer: "" });
    expect(outputMode({ items: "/a/0" })).toEqual({ kind: "items", pointer: "/a/0" });
    expect(outputMode({ final: true })).toEqual({ kind: "final" });
  });

  it("rejects two modes", () => {
    expect(() => outputMode({ patches: true, snapshots: true })).toThrow(
      expect.objectContaining({
        code: "usage",
        message: expect.stringMatching(/--patches .*--snapshots/) as string,
      }),
    );
    expect(() => outputMode({ append: true, items: "/a", final: true })).toThrow(
      /^--append .*--items .*--final/,
    );
  });

  it("rejects an invalid JSON Pointer, with a suggestion", () => {
    expect(() => outputMode({ items: "steps" })).toThrow(/^--items: "steps" .*RFC 6901.*"\/steps"/);
    expect(() => outputMode({ items: "/a~2" })).toThrow(UsageError);
  });
});
