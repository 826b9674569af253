import { type ContentBlock, type Message, type ModelError, toMessages } from "millrace";
import { describe, expect, test } from "vitest";
import { errorOf } from "../support/models.js";
import { providerWires } from "../support/wires.js";

describe.each(providerWires)("a request to $name", ({ model }) => {
  const call: ContentBlock = { type: "tool_call", id: "1", name: "f", args: {} };
  const cases: readonly (readonly [block: ContentBlock, role: Message["role"]])[] = [
    [call, "user"],
    [call, "system"],
    [{ type: "tool_call_chunk", index: 0 }, "user"],
    [{ type: "invalid_tool_call", id: "1", args: "", error: "x" }, "system"],
  ];
  const refusalOf = async (block: ContentBlock, role: Message["role"]): Promise<ModelError> => {
    const input = toMessages([{ role, content: [{ type: "text", text: "Hi" }, block] }]);
    const fetch = (): Promise<Response> => Promise.reject(new Error("something was sent"));
    return errorOf(model(fetch).stream(input));
  };

  test.each(cases)(
    "with a $type in a message of another role is refused in the same words",
    async (block, role) => {
      expect(await refusalOf(block, role)).toMatchObject({
        code: "invalid_request",
        message: `A message with role "${role}" contains a ${block.type}. Only assistant messages can contain tool calls.`,
      });
    },
  );

  test("with a block that the provider cannot send says which ones it can", async () => {
    const video: ContentBlock = { type: "video", url: "https://example.com/v.mp4" };
    const { code, message } = await refusalOf(video, "system");
    expect(code).toBe("invalid_request");
    expect(message).toMatch(
      /^A message with role "system" contains a block of type "video", but .+ accepts only text, .+ there\.$/,
    );
  });
});
