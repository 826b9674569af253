import { ModelError, textOf } from "millrace";
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../../models/support/models.js";
import { type ProviderWire, providerWires } from "../../models/support/wires.js";
import { responseOf } from "../../support/provider-events.js";

/** The error as an event of the provider. Anthropic and Responses name their events. */
function eventOf({ name }: ProviderWire, error: unknown): string {
  const isNamed = name === "Anthropic" || name === "Responses";
  const text = JSON.stringify(isNamed ? { type: "error", error } : { error });
  return name === "Ollama" ? `${text}\n` : `data: ${text}\n\n`;
}

const passing: readonly (readonly [name: string, error: unknown])[] = [
  ["a status", { message: "x", code: 502 }],
  ["a status as a text", { message: "x", code: "502" }],
  ["a status in a field of its own", { message: "x", type: "odd", status_code: 503 }],
  ["OpenAI", { message: "x", type: "server_error", code: "odd" }],
  ["Anthropic", { message: "x", type: "overloaded_error" }],
  ["Anthropic behind a gateway", { message: "x", type: "api_error" }],
  ["Gemini", { message: "x", status: "INTERNAL" }],
  ["Gemini under load", { message: "x", status: "UNAVAILABLE" }],
  ["vLLM", { message: "x", type: "InternalServerError" }],
  ["Moonshot", { message: "x", type: "engine_overloaded_error" }],
  ["a gateway", { message: "x", type: "upstream_error" }],
  ["a gateway that waited", { message: "x", code: "timeout" }],
];

const final: readonly (readonly [name: string, error: unknown])[] = [
  ["a status", { message: "x", code: 400 }],
  ["a status as a text", { message: "x", code: "401" }],
  ["a type", { message: "x", type: "invalid_request_error" }],
  ["a code", { message: "x", code: "context_length_exceeded" }],
  ["an exceeded quota", { message: "x", type: "insufficient_quota", code: 429 }],
];

describe.each(providerWires)("an answer of $name that breaks with an error", (provider) => {
  const { wire, model } = provider;
  const errorAfter = async (error: unknown, ...texts: readonly string[]): Promise<unknown> => {
    const event = new TextEncoder().encode(eventOf(provider, error));
    const pieces = [...(wire.start?.() ?? []), ...wire.text(texts, 0), event];
    const { chunks, error: thrown } = await outcomeOf(model(async () => responseOf(pieces)).stream("Hi"));
    expect(chunks.map(textOf).join("")).toBe(texts.join(""));
    return thrown;
  };

  test.each(passing)("of %s may be asked for again", async (_, error) => {
    const thrown = await errorAfter(error, "Hel", "lo");
    expect(thrown).toBeInstanceOf(ModelError);
    expect(thrown).toMatchObject({ code: "provider", retryable: true });
  });

  test.each(final)("with %s that would come again may not", async (_, error) => {
    expect(await errorAfter(error, "Hel", "lo")).toMatchObject({ code: "provider", retryable: false });
  });

  test.each([null, "", false])("no error if the field is %j in each payload", async (error) => {
    const pieces = [...(wire.start?.() ?? []), ...wire.text(["Hel", "lo"], 0), ...wire.end("stop")];
    const text = pieces.map((piece) => new TextDecoder().decode(piece)).join("");
    const said = text.replace(/^(data: )?\{/gm, (begin) => `${begin}"error":${JSON.stringify(error)},`);
    expect(said).not.toBe(text);
    const answer = await outcomeOf(model(async () => new Response(said)).stream("Hi"));
    expect(answer.error).toBeUndefined();
    expect(answer.chunks.map(textOf).join("")).toBe("Hello");
  });

  test("in words may be asked for again only of Ollama, which has no codes, after the answer has begun", async () => {
    const words = "an error was encountered while running the model: unexpected EOF";
    const retryable = provider.name === "Ollama";
    expect(await errorAfter(words, "Hel")).toMatchObject({ code: "provider", retryable });
    expect(await errorAfter(words)).toMatchObject({ code: "provider", retryable: false });
  });
});
