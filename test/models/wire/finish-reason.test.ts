import { ModelError, textOf } from "millrace";
import { everyWay, type ModelWire, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { responseOf } from "../../support/provider-events.js";
import { outcomeOf } from "../support/models.js";
import { libraryWires, type ProviderWire, providerWires } from "../support/wires.js";

/** The items of an answer with this text that ends with a word. Without a text, the answer has only its end. */
function itemsOf<Item>(wire: ModelWire<Item>, word: string, text?: string): Item[] {
  return [...(wire.start?.() ?? []), ...(text === undefined ? [] : wire.text([text], 0)), ...wire.end(word)];
}

function bodyOf({ wire }: ProviderWire, word: string, text?: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(itemsOf(wire, word, text)));
}

const reasons = [
  ["length", "length"],
  ["LENGTH", "length"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["Max_Output_Tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["maxTokens", "length"],
  ["MaxTokens", "length"],
  ["max tokens", "length"],
  ["FinishReason.MAX_TOKENS", "length"],
  ["token_limit", "length"],
  ["context_length_exceeded", "length"],
  ["end", "stop"],
  ["END", "stop"],
  ["endTurn", "stop"],
  ["END_TURN", "stop"],
  ["tool_use", "tool_calls"],
  ["SAFETY", "content_filter"],
  ["content-filter", "content_filter"],
  ["sensitive", "content_filter"],
  ["ContentFilter", "content_filter"],
  ["OTHER", "other"],
  ["constructor", "other"],
] as const;

const errors = [
  ["error", true],
  ["ERROR", true],
  ["network_error", true],
  ["MALFORMED_FUNCTION_CALL", true],
  ["malformed_function_call", true],
  ["UNEXPECTED_TOOL_CALL", true],
  ["MalformedFunctionCall", true],
  ["upstream_error", true],
  ["cancelled", true],
  ["MISSING_THOUGHT_SIGNATURE", false],
] as const;

describe.each(providerWires)("an answer of $name", (provider) => {
  const { model } = provider;

  test.each(reasons)("that ends with %s has the finish reason %s", async (word, finishReason) => {
    const bytes = bodyOf(provider, word, "a");
    const message = await model(async () => responseOf([bytes])).invoke("Hi");
    expect(message).toMatchObject({ finishReason, providerFinishReason: word });
    expect(textOf(message)).toBe("a");
  });

  // Each word is read from the same field, so the body is cut at every place for one of them.
  test.each(errors)(
    "that ends with %s is an error with the text so far, however it is cut",
    async (word, retryable) => {
      const body = bodyOf(provider, word, "né");
      for (const pieces of word === "error" ? everyWay(body) : [[body]]) {
        let requests = 0;
        const failing = model(async () => {
          requests++;
          return responseOf(pieces);
        });
        const { chunks, error } = await outcomeOf(failing.stream("Hi"));
        expect(chunks.map(textOf).join("")).toBe("né");
        expect(chunks.some(({ finishReason }) => finishReason !== undefined)).toBe(false);
        expect(error).toBeInstanceOf(ModelError);
        expect(error).toMatchObject({ code: "provider", providerCode: word, retryable });
        expect(textOf((error as ModelError).partial!)).toBe("né");
        expect((error as ModelError).message).toContain(word);
        expect(requests).toBe(1);
      }
    },
  );

  test("that ends with an error before its first content is requested again", async () => {
    const bodies = [
      bodyOf(provider, "network_error"),
      bodyOf(provider, "network_error"),
      bodyOf(provider, "stop", "a"),
    ];
    const message = await model(async () => responseOf([bodies.shift()!]), { maxRetries: 2 }).invoke("Hi");
    expect([textOf(message), bodies]).toEqual(["a", []]);
  });
});

describe.each(libraryWires)("a stream of $name", ({ wire }) => {
  test.each(errors)("that ends with %s is an error after its text", async (word, retryable) => {
    const { chunks, error } = await outcomeOf(wire.read(spySource(itemsOf(wire, word, "a"))));
    expect(chunks.map(textOf).join("")).toBe("a");
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "provider", providerCode: word, retryable });
  });
});
