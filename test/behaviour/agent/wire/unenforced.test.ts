import { type AgentEvent, collect, createAgent, ModelError, streamObject } from "millrace";
import { providerStrategy } from "millrace/agent";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anthropicMessages, fakeServer, openAIChat, openAIResponses } from "../../../models/support/fakes.js";
import type { Fields } from "../../../models/support/refusals.js";

const counts = z.object({ counts: z.record(z.string(), z.int()) });
const answer = { counts: { tea: 2, cake: 1 } };

/** No strict mode of these has objects with any names. */
describe.each([openAIChat, openAIResponses, anthropicMessages])("a record on $name", (fake) => {
  test("comes by a tool that is not strict, and an event says why", async () => {
    const server = await fakeServer(fake, fake.calls({ name: "output", args: [JSON.stringify(answer)] }));
    const { events, final } = streamObject({ model: fake.model(server), schema: counts, prompt: "Count." });
    const seen = await collect(events);
    expect(await final).toEqual(answer);
    const [said] = seen.filter(({ type }) => type === "structured_strategy");
    expect(said).toMatchObject({
      strategy: "tool",
      reason: { code: "invalid_request", schemaPointer: expect.stringContaining("/counts") as string },
      problem: { name: "ModelError", code: "invalid_request" },
    });
    expect(server.requests.map(({ body }) => fake.toolsIn(body as Fields))).toEqual([["output"]]);
  });

  test("comes by the prompt, if the model has no tools", async () => {
    const server = await fakeServer(fake, fake.says(JSON.stringify(answer)));
    const model = fake.model(server, { profile: { toolCalling: false } });
    const seen: AgentEvent[] = await collect(createAgent({ model, responseFormat: counts }).stream("Count."));
    expect(seen.find(({ type }) => type === "structured_strategy")).toMatchObject({ strategy: "prompt" });
    expect(seen.at(-1)).toMatchObject({ type: "finish", structuredResponse: answer });
  });

  test("is refused where providerStrategy() asks for it without a fallback", async () => {
    const server = await fakeServer(fake, fake.says("never requested"));
    const responseFormat = providerStrategy(counts, { fallback: false });
    const agent = createAgent({ model: fake.model(server), responseFormat });
    await expect(agent.invoke("Count.")).rejects.toBeInstanceOf(ModelError);
    expect(server.requests).toEqual([]);
  });
});

test("a list at the root names the option for lists", async () => {
  const server = await fakeServer(openAIChat, openAIChat.says("never requested"));
  const { final } = streamObject({
    model: openAIChat.model(server),
    schema: z.array(z.string()),
    prompt: "Count.",
  });
  await expect(final).rejects.toThrow(/elements: true/);
  expect(server.requests).toEqual([]);
});
