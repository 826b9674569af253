import { type JsonValue, ModelError } from "millrace";
import { ToolError, AgentError } from "millrace/agent";
import { expect, test } from "vitest";
import { fromRecordedError, toRecordedError } from "#src/durable/recorded-error.js";

const issues = [{ pointer: "/city", message: "Expected a string." }];

test.each([
  new AgentError("invalid_response", "No.", { issues, names: ["Trip"], finishReason: "stop" }),
  new ToolError("invalid_input", "No.", { tool: "weather", issues, cause: new Error("why") }),
  new ModelError("http", "No.", { status: 429 }),
])("a recorded $name has its class and its fields", (error) => {
  const restored = fromRecordedError(JSON.parse(JSON.stringify(toRecordedError(error))) as JsonValue);
  expect(restored).toBeInstanceOf(error.constructor);
  expect(restored).toEqual(error);
});

test("a recorded error of another library keeps its name and code", () => {
  const error = Object.assign(new TypeError("No."), { code: "ENOENT" });
  expect(fromRecordedError(toRecordedError(error))).toMatchObject({ name: "TypeError", code: "ENOENT" });
});
