import { describe, expect, test } from "vitest";
import type { MessagesInput } from "millrace";
import { allFakes, fakeServer } from "../../models/support/fakes.js";
import type { Fields } from "../../models/support/refusals.js";
import { outcomeOf } from "../../models/support/models.js";

/** Half a surrogate pair, as a cut through an emoji leaves it. */
const half = "\ud83c";

/** Also in texts that are JSON themselves: the server reads them. */
function hasHalf(value: unknown): boolean {
  if (typeof value === "string") {
    const inner = /^[[{"]/.test(value) ? parsed(value) : undefined;
    return /\p{Surrogate}/u.test(value) || (inner !== undefined && hasHalf(inner));
  }
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => hasHalf(key) || hasHalf(member));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe.each(allFakes)("$name gets well-formed text", (fake) => {
  test.each<readonly [string, MessagesInput]>([
    ["the prompt", `Tea ${half}`],
    [
      "the result of a tool",
      [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "tool_call", id: "c1", name: "look", args: {} }] },
        { role: "tool", toolCallId: "c1", content: `cut ${half}` },
      ],
    ],
    [
      "the arguments of a call",
      [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [{ type: "tool_call", id: "c1", name: "look", args: { [half]: `at ${half} 🍵` } }],
        },
        { role: "tool", toolCallId: "c1", content: "ok" },
      ],
    ],
    [
      "arguments as the model wrote them",
      [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "invalid_tool_call", id: "c1", name: "look", args: '{"at":"\\uD83C!"}', error: "" },
          ],
        },
        { role: "tool", toolCallId: "c1", content: "ok" },
      ],
    ],
  ])("for half a pair in %s", async (_, messages) => {
    const server = await fakeServer(fake, fake.says("Hello"));
    expect((await outcomeOf(fake.model(server).stream(messages))).error).toBeUndefined();
    expect(server.requests.map(({ body }) => hasHalf(body))).toEqual([false]);
  });

  test("and whole pairs and backslashes unchanged", async () => {
    const args = { text: '🍵 \\ud83c "\\"' };
    const server = await fakeServer(fake, fake.says("Hello"));
    await outcomeOf(
      fake.model(server).stream([
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "tool_call", id: "c1", name: "look", args }] },
        { role: "tool", toolCallId: "c1", content: "ok" },
      ]),
    );
    expect(server.requests.flatMap(({ body }) => fake.argumentsIn(body as Fields))).toEqual([args]);
  });
});

test("a text that a model wrote with two escapes for one character stays whole", async () => {
  const [fake] = allFakes;
  const server = await fakeServer(fake!, fake!.says("Hello"));
  const args = '{"at":"\\ud83c\\udf75"}';
  await outcomeOf(
    fake!.model(server).stream([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [{ type: "invalid_tool_call", id: "c1", name: "look", args, error: "" }],
      },
      { role: "tool", toolCallId: "c1", content: "ok" },
    ]),
  );
  expect(server.requests.flatMap(({ body }) => fake!.argumentsIn(body as Fields))).toEqual([{ at: "🍵" }]);
});
