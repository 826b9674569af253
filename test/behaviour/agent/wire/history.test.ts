import { describe, expect, test } from "vitest";
import { assistant, collect, createAgent, type MessageLike, textOf, toolMessage, user } from "millrace";
import { toolStrategy } from "millrace/agent";
import { z } from "zod";
import {
  allFakes,
  anthropicMessages,
  fakeServer,
  openAIChat,
  openAIResponses,
  vllm,
} from "../../../models/support/fakes.js";
import type { Fields } from "../../../models/support/refusals.js";

const rating = z.object({ rating: z.int().max(5), comment: z.string() }).meta({ title: "Rating" });
const good = { rating: 5, comment: "Great" };

describe.each([openAIChat, openAIResponses, anthropicMessages, vllm])(
  "after a guard stop on $name",
  (fake) => {
    test.each([
      ["in the middle", ['{"rating":10,', '"comm', 'ent":"never heard"}'], { rating: 10 }],
      ["after an object", ['{"comment":"Great","rating":{"of', '":5}}'], { comment: "Great", rating: {} }],
      ["in a text", ['{"comment":"Great', '","rating":"te', 'n"}'], { comment: "Great", rating: "te" }],
    ])("%s, the cut call is sent as what is known of it", async (_, args, sent) => {
      const server = await fakeServer(
        fake,
        fake.calls({ name: "Rating", args }),
        fake.calls({ id: "c2", name: "Rating", args: [JSON.stringify(good)] }),
      );
      const agent = createAgent({ model: fake.model(server), responseFormat: toolStrategy(rating) });
      const { structuredResponse, messages } = await agent.invoke("10 of 10!");
      expect(structuredResponse).toEqual(good);
      expect(fake.argumentsIn(server.requests[1]?.body as Fields)).toEqual([sent]);
      expect(messages.filter(({ role }) => role === "tool").map((message) => textOf(message))).toHaveLength(
        2,
      );
    });
  },
);

describe.each(allFakes)("on $name", (fake) => {
  const invalid: readonly [string, string, object][] = [
    [
      "a complete call that does not satisfy the schema",
      '{"rating": 10, "comment": "Great"}',
      { rating: 10, comment: "Great" },
    ],
    ["a call that is cut in a text", '{"rating": 4, "comment": "Gre', { rating: 4, comment: "Gre" }],
    ["a call that is cut in a number", '{"comment": "Great", "rating": 1', { comment: "Great" }],
    [
      "a call that is cut in a nested object",
      '{"comment": {"by": ["Ada", {"n',
      { comment: { by: ["Ada", {}] } },
    ],
    ["a call that is nearly JSON", "{rating: 4, 'comment': \"Great\",}", { rating: 4, comment: "Great" }],
    ["a call with a raw line break", '{"comment": "Gr\neat"}', { comment: "Gr\neat" }],
    ["a call whose arguments are no object", '["Great"]', {}],
    ["a call without JSON", "Great!", {}],
    ["a call without arguments", "", {}],
    [
      "a call with an own member __proto__",
      '{"__proto__": {"a": 1}, ',
      JSON.parse('{"__proto__": {"a": 1}}') as object,
    ],
    ["a call that is nested deeply", `{"a":${"[".repeat(5_000)}`, expect.anything() as object],
    [
      "a complete call that is nested deeply",
      `{"a":${"[".repeat(99_000)}${"]".repeat(99_000)}}`,
      expect.anything() as object,
    ],
  ];
  test.each(invalid)("%s is sent back in a form that the server accepts", async (_, args, sent) => {
    const server = await fakeServer(fake, fake.says("Thank you."));
    const history: MessageLike[] = [
      user("10 of 10!"),
      assistant([
        { type: "invalid_tool_call", id: "c1", name: "Rating", args, error: "The rating is wrong." },
      ]),
      toolMessage("Rate again.", { toolCallId: "c1", name: "Rating", status: "error" }),
    ];
    await collect(fake.model(server).stream(history));
    expect(fake.argumentsIn(server.requests[0]?.body as Fields)).toEqual([sent]);
  });

  test("a call that is still growing is sent as what is known of it", async () => {
    const server = await fakeServer(fake, fake.says("Thank you."));
    const history: MessageLike[] = [
      user("10 of 10!"),
      assistant([{ type: "tool_call_chunk", id: "c1", name: "Rating", args: '{"rating": 4, "com' }]),
      toolMessage("Rate again.", { toolCallId: "c1", name: "Rating", status: "error" }),
    ];
    await collect(fake.model(server).stream(history));
    expect(fake.argumentsIn(server.requests[0]?.body as Fields)).toEqual([{ rating: 4 }]);
  });
});

test.each([openAIChat, openAIResponses])(
  "valid arguments are sent to $name character by character",
  async (fake) => {
    const args = '{ "rating" : 1e1,\n "comment":"\\u0047reat" }';
    const server = await fakeServer(fake, fake.says("Thank you."));
    const history: MessageLike[] = [
      user("10 of 10!"),
      assistant([
        { type: "invalid_tool_call", id: "c1", name: "Rating", args, error: "The rating is wrong." },
      ]),
      toolMessage("Rate again.", { toolCallId: "c1", status: "error" }),
    ];
    await collect(fake.model(server).stream(history));
    expect(JSON.stringify(server.requests[0]?.body)).toContain(JSON.stringify(args));
  },
);
