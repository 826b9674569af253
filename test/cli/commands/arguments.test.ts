import { describe, expect, it } from "vitest";
import { parseArguments } from "#src/cli/commands/arguments.js";
import { UsageError } from "#src/cli/terminal/usage-error.js";

const options = { schema: { type: "string" }, final: { type: "boolean" } } as const;

describe("parseArguments", () => {
  it("accepts a value after a space or an equals sign", () => {
    for (const argv of [["--schema", "a.json"], ["--schema=a.json"]]) {
      expect(parseArguments(argv, options).values.schema).toBe("a.json");
    }
    // The JSON Pointer of the root is the empty string.
    expect(parseArguments(["--schema", ""], options).values.schema).toBe("");
    expect(parseArguments(["--schema="], options).values.schema).toBe("");
    expect(parseArguments(["--schema=--odd", "--final"], options).values).toEqual({
      schema: "--odd",
      final: true,
    });
  });

  it("returns positional arguments, and everything after --", () => {
    expect(parseArguments(["a", "--final", "--", "--b"], options).positionals).toEqual(["a", "--b"]);
  });

  const wrong: [argv: string[], message: RegExp][] = [
    [["--shema", "x"], /--shema\b.*Did you mean --schema\?/],
    [["-x"], / -x\b.*--schema, --final/],
    [["--toString"], /--toString\b.*--schema, --final/],
    [["--schema"], /^--schema .*value/],
    [["--schema", "--final"], /--schema=--final/],
    [["--final=yes"], /^--final .*value/],
    [["--help=x"], /^--help takes no value/],
  ];
  it.each(wrong)("rejects %j", (argv, message) => {
    expect(() => parseArguments(argv, options)).toThrow(UsageError);
    expect(() => parseArguments(argv, options)).toThrow(message);
  });
});
