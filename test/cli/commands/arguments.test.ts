import { describe, expect, it } from "vitest";
import { parseArguments } from "#src/cli/commands/arguments.js";
import { UsageError } from "#src/cli/terminal/usage-error.js";

const options = { schema: { type: "string" }, final: { type: "boolean" } } as const;

describe("parseArguments", () => {
  it("takes a value after a space or an equals sign", () => {
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

  it("keeps what is no option, and all after --", () => {
    expect(parseArguments(["a", "--final", "--", "--b"], options).positionals).toEqual(["a", "--b"]);
  });

  const wrong: [argv: string[], message: string][] = [
    [["--shema", "x"], "Unknown option --shema. The options are --schema, --final."],
    [["-x"], "Unknown option -x. The options are --schema, --final."],
    [["--toString"], "Unknown option --toString. The options are --schema, --final."],
    [["--schema"], "--schema needs a value."],
    [
      ["--schema", "--final"],
      "--schema needs a value, but --final follows. If that is the value, write --schema=--final.",
    ],
    [["--final=yes"], "--final takes no value."],
  ];
  it.each(wrong)("refuses %j with a sentence", (argv, message) => {
    expect(() => parseArguments(argv, options)).toThrow(new UsageError(message));
  });
});
