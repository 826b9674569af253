import { describe, expect, it } from "vitest";
import { outputMode } from "#src/cli/commands/output-mode.js";
import { UsageError } from "#src/cli/terminal/usage-error.js";

describe("outputMode", () => {
  it("is what was asked for, and nothing if nothing was", () => {
    expect(outputMode({})).toBeUndefined();
    expect(outputMode({ patches: true })).toEqual({ kind: "patches", append: false });
    expect(outputMode({ append: true })).toEqual({ kind: "patches", append: true });
    expect(outputMode({ patches: true, append: true })).toEqual({ kind: "patches", append: true });
    expect(outputMode({ snapshots: true })).toEqual({ kind: "snapshots" });
    expect(outputMode({ items: "" })).toEqual({ kind: "items", pointer: "" });
    expect(outputMode({ items: "/a/0" })).toEqual({ kind: "items", pointer: "/a/0" });
    expect(outputMode({ final: true })).toEqual({ kind: "final" });
  });

  it("refuses two forms at once", () => {
    expect(() => outputMode({ patches: true, snapshots: true })).toThrow(
      new UsageError("--patches and --snapshots cannot be combined. Choose one form of output."),
    );
    expect(() => outputMode({ append: true, items: "/a", final: true })).toThrow(
      new UsageError("--patches and --items and --final cannot be combined. Choose one form of output."),
    );
  });

  it("refuses what is no JSON Pointer, and says what was meant", () => {
    expect(() => outputMode({ items: "steps" })).toThrow(
      new UsageError(
        '--items: "steps" is no JSON Pointer (RFC 6901): it is "" or starts with "/", with "~" as "~0" and "/" as "~1". Did you mean "/steps"?',
      ),
    );
    expect(() => outputMode({ items: "/a~2" })).toThrow(UsageError);
  });
});
