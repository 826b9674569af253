import { expect, test } from "vitest";
import { assistant, user, system, toolMessage } from "millrace";

test("each constructor returns plain data with its role and an array of blocks as content", () => {
  expect([system("a"), user("b"), assistant("c"), toolMessage("d", { toolCallId: "1" })]).toEqual([
    { role: "system", content: [{ type: "text", text: "a" }] },
    { role: "user", content: [{ type: "text", text: "b" }] },
    { role: "assistant", content: [{ type: "text", text: "c" }] },
    { role: "tool", content: [{ type: "text", text: "d" }], toolCallId: "1" },
  ]);
});

test("content is a text, a block, or an array of both; an empty text gives no block", () => {
  const image = { type: "image", url: "https://example.com/a.png" } as const;
  expect(user(image).content).toEqual([image]);
  expect(user(["What is this?", image, ""]).content).toEqual([
    { type: "text", text: "What is this?" },
    image,
  ]);
  expect(user("").content).toEqual([]);
});

test("other fields are kept", () => {
  expect(user("a", { name: "Ada", id: "1", metadata: { from: "web" } })).toMatchObject({
    name: "Ada",
    id: "1",
    metadata: { from: "web" },
  });
  expect(toolMessage("a", { toolCallId: "1", status: "error" }).status).toBe("error");
});
