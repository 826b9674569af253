import { createAgent, tool } from "millrace";
import { toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";

test("an invalid call written as text is shown as the model wrote it", async () => {
  const weather = tool({
    name: "weather",
    description: "The weather in a city",
    schema: z.object({ city: z.string() }),
    run: () => "sunny",
  });
  const call = ["<tool_call>\n{'name': 'weather', 'arguments': {'city': ", "'Oslo', days ] 1}\n</tool_call>"];
  const answers = [call, ["Sorry."]];
  const model = scriptedModel(() => answers.shift() ?? []);
  const agent = createAgent({ model, tools: [weather], textToolCalls: "hermes" });
  const body = await toUiMessageStream(agent.stream("Oslo?")).text();
  const parts = body
    .split("\n\n")
    .flatMap((event) => (event.startsWith("data: {") ? [JSON.parse(event.slice(6)) as unknown] : []));
  expect(parts).toContainEqual(
    expect.objectContaining({ type: "tool-input-error", input: "{'city': 'Oslo', days ] 1}\n" }),
  );
});
