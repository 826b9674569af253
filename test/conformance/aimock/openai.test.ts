import { expect, test } from "vitest";
import { last, mergeChunks, pipe } from "millrace";
import { openai } from "millrace/openai";
import { mockSuite } from "./mock-suite.js";

for (const api of ["chat", "responses"] as const) {
  mockSuite(
    `OpenAI, ${api},`,
    (url, options) => openai({ model: "gpt-4o", baseURL: `${url}/v1`, apiKey: "mock", api, ...options }),
    (mock, model) => {
      test("the message has the usage and the name of the model", async () => {
        const message = await last(pipe(model().stream("greet"), mergeChunks()));
        expect(message).toMatchObject({
          model: "gpt-4o",
          usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
        });
      });

      test("keeps the invalid arguments of a call", async () => {
        mock.onMessage("broken", { toolCalls: [{ name: "weather", arguments: '{"city": Oslo}' }] });
        const message = await last(pipe(model().stream("broken"), mergeChunks()));
        expect(message?.content).toMatchObject([
          { type: "invalid_tool_call", name: "weather", args: '{"city": Oslo}' },
        ]);
      });
    },
  );
}
