import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ModelError } from "millrace";

test("an error has only the details that are known, so Node prints no others", () => {
  const error = new ModelError("no_key", "No key.", { environmentVariable: "A_KEY", status: undefined });
  expect(Object.keys(error).sort()).toEqual(["code", "environmentVariable", "name", "retryable"]);
  expect(inspect(error)).not.toContain("undefined");
  expect(error.status).toBeUndefined();
});
