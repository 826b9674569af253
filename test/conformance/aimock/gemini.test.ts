import { expect, test } from "vitest";
import { last, mergeChunks, pipe, toolCallsOf } from "millrace";
import { gemini } from "millrace/gemini";
import { mockSuite } from "./mock-suite.js";
import { outcomeOf } from "../../models/support/models.js";

mockSuite(
  "Gemini",
  (url, options) =>
    gemini({ model: "gemini-2.5-flash", baseURL: `${url}/v1beta`, apiKey: "mock", ...options }),
  (mock, model) => {
    test("a call has the id that Gemini sent", async () => {
      mock.onMessage("one", { toolCalls: [{ name: "time", arguments: "{}", id: "call_a" }] });
      const message = await last(pipe(model().stream("one"), mergeChunks()));
      expect(toolCallsOf(message!)).toEqual([{ id: "call_a", name: "time", args: {} }]);
    });

    test("speech is an audio block", async () => {
      mock.onMessage("speak", { audio: "AAEC", format: "wav" });
      const message = await last(pipe(model().stream("speak"), mergeChunks()));
      expect(message?.content).toMatchObject([{ type: "audio", data: "AAEC" }]);
    });

    test("an error has Gemini's text", async () => {
      const { error } = await outcomeOf(model().stream("what?"));
      expect(error).toMatchObject({ providerCode: "NOT_FOUND" });
    });
  },
);
