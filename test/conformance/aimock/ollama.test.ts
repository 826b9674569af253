import { expect, test } from "vitest";
import { last, mergeChunks, pipe } from "millrace";
import { ollama } from "millrace/ollama";
import { mockSuite } from "./mock-suite.js";
import { outcomeOf } from "../../models/support/models.js";

mockSuite(
  "Ollama",
  (url, options) => ollama({ model: "qwen3", baseURL: url, ...options }),
  (mock, model) => {
    test("the message has the name of the model", async () => {
      const message = await last(pipe(model().stream("greet"), mergeChunks()));
      expect(message).toMatchObject({ model: "qwen3", usage: { totalTokens: 0 } });
    });

    test("sends the token limit", async () => {
      await outcomeOf(model().stream("greet", { maxTokens: 7 }));
      expect(mock.getLastRequest()?.body).toMatchObject({ max_tokens: 7 });
    });
  },
);
