import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { reportError } from "#src/cli/output/report-error.js";
import { exitCodes } from "#src/cli/terminal/exit-codes.js";
import { ModelError } from "#src/models/contract/errors.js";

describe("reportError", () => {
  it.each([
    ["advice for programmers is left out", "The schema is too deep. Pass strict: false."],
    ["a message without its advice is printed as it is", "The schema is too deep."],
  ])("%s", (_, message) => {
    const error = new ModelError("invalid_request", message, { advice: "Pass strict: false." });
    expect(report(error)).toEqual({
      exitCode: exitCodes.usage,
      printed: "millrace chat: The schema is too deep.\nSee millrace chat --help.\n",
    });
  });
});

function report(error: unknown): { exitCode: number; printed: string } {
  let printed = "";
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk);
      done();
    },
  });
  return { exitCode: reportError(error, "millrace chat", { stderr, env: {} }), printed };
}
