import { createAgent } from "millrace";
import { agUiHandler, boundedHandler, fromUiMessages, toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { post } from "./request-server.js";

const agent = createAgent({ model: scriptedModel(["Hello."]) });
const handlers = {
  "agUiHandler()": agUiHandler(agent),
  "boundedHandler()": boundedHandler((body, { signal }) =>
    toUiMessageStream(agent.stream(fromUiMessages(body), { signal })),
  ),
};

const deep = "[".repeat(20_000) + "]".repeat(20_000);

describe.each(Object.entries(handlers))("%s refuses with a 400", (_name, handle) => {
  test.each([
    ["a body of brackets", deep],
    ["messages of brackets", `{"threadId":"1","runId":"2","messages":${deep}}`],
    ["an object whose class has no name", '{"messages":{"constructor":{"name":{"toString":0}}}}'],
    ["an object without a class", '{"messages":{"constructor":null}}'],
    ["an object with a prototype", '{"messages":{"__proto__":null,"toString":1}}'],
  ])("%s", async (_body, body) => {
    const response = await handle(post(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_input" });
  });
});

test("the state and the tools of a client of AG-UI may be deep", async () => {
  const tools = `[{"name":"t","parameters":{"type":"object","properties":{"a":${deep}}}}]`;
  const body = `{"threadId":"1","runId":"2","messages":[{"id":"3","role":"user","content":"Hi"}],"state":${deep},"tools":${tools}}`;
  const response = await handlers["agUiHandler()"](post(body));
  expect(await response.text()).toContain("RUN_FINISHED");
});

test("the arguments and results of a client of useChat may be deep", () => {
  const input: unknown = JSON.parse(`{"a":${deep}}`);
  const part = { type: "tool-f", toolCallId: "1", state: "output-available", input, output: input };
  const body = { messages: [{ role: "assistant", parts: [part, { type: "data-structured", data: input }] }] };
  const [message, result] = fromUiMessages(body as never);
  expect(message).toMatchObject({
    tool_calls: [{ function: { arguments: `{"a":${deep}}` } }],
    content: [{ text: `{"a":${deep}}` }],
  });
  expect(result).toMatchObject({ content: [{ text: `{"a":${deep}}` }] });
});
