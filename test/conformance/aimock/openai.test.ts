import { expect, test } from "vitest";
import { last, mergeChunks, pipe } from "millrace";
import { openai } from "millrace/openai";
import { mockSuite } from "./mock-suite.js";

for (const api of ["chat", "responses"] as const) {
  mockSuite(
    `OpenAI, ${api},`,
    (url, options) => openai({ model: "gpt-4o", baseURL: `${url}/v1`, apiKey: "mock", api, ...options }),
    (mock, model) => {
      test("the usage and the model that answered are known", async () => {
        const message = await last(pipe(model().stream("greet"), mergeChunks()));
        expect(message).toMatchObject({
          model: "gpt-4o",
          usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
        });
      });

      test("the broken arguments of a call are kept", async () => {
        mock.onMessage("broken", { toolCalls: [{ name: "weather", arguments: '{"city": Oslo}' }] });
        const message = await last(pipe(model().stream("broken"), mergeChunks()));
        expect(message?.content).toMatchObject([
          { type: "invalid_tool_call", name: "weather", args: '{"city": Oslo}' },
        ]);
      });
    },
  );
}
