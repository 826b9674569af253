import { describe, expect, it } from "vitest";
import { printable } from "#src/cli/terminal/printable.js";

describe("printable", () => {
  it("escapes control sequences", () => {
    expect(printable("\u001b[2Jgone\u0007\u009b1m\u007f")).toBe("␛[2Jgone␇\ufffd1m␡");
  });

  it("keeps line breaks, and expands tabs", () => {
    expect(printable("a\r\nb\tc\rd")).toBe("a\nb  c␍d");
  });

  it("removes characters that reorder a line", () => {
    expect(printable("a\u202eb")).toBe("a\ufffdb");
  });
});
