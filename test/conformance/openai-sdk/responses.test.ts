import OpenAI from "openai";
import type { Response as SdkResponse } from "openai/resources/responses/responses";
import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  collect,
  from,
  last,
  mergeChunks,
  type ModelError,
  pipe,
  textOf,
} from "millrace";
import { decodeSse } from "millrace/models";
import { decodeOpenAIResponses, type OpenAIResponsesPayload } from "millrace/openai";
import { everyCut, fixedSizes, randomPartitions } from "millrace/testing";
import { recordings, sent } from "../../models/openai/support.js";

interface Event {
  readonly type: string;
}

/** Each response of a recording. Some recordings have all responses of an agent run. */
const all = recordings("openai-responses").flatMap(({ name, lines }) => {
  const events = lines.map((line) => JSON.parse(line) as Event);
  const starts = events.flatMap(({ type }, at) => (type === "response.created" ? [at] : []));
  return starts.map((start, n) => ({
    name: `${name}, ${n + 1}`,
    events: events.slice(start, starts[n + 1]),
  }));
});

/** Recordings that the SDK's accumulator cannot read, with the reason. It gets their first and last event. */
const unreadable: Readonly<Record<string, string>> = {
  "openai-phase.1.jsonl, 1": "the recording leaves out an item between two others",
  "openai-shell-tool.1.jsonl, 1": "the SDK does not know the events of a shell's commands",
};
const failing = all.filter(({ events }) => events.some(({ type }) => type === "error"));
const whole = all.filter((recording) => !failing.includes(recording));

describe.skipIf(all.length === 0)("a recorded response is decoded like by the official SDK:", () => {
  for (const { name, events } of whole) {
    const wire = wireOf(events);
    const bytes = new TextEncoder().encode(wire);
    const theirs = name in unreadable ? [events[0]!, events.at(-1)!] : events;
    const theirResponse = (): Promise<SdkResponse> =>
      sdk(wireOf(theirs)).responses.stream({ model: "a", input: "Hi" }).finalResponse();

    test(`${name}, complete and split anywhere`, async () => {
      const response = await theirResponse();
      const ways = [[bytes], ...randomPartitions(bytes, { seed: 5, count: 3 }), ...fixedSizes(bytes, [97])];
      for (const pieces of ways) {
        const stream = pipe(from(pieces), decodeSse(), decodeOpenAIResponses(), mergeChunks());
        const message = await last(stream);
        if (message === undefined) throw new Error("there is no message");
        expect(summary(message)).toEqual(expectedOf(response));
      }
    });

    test(`${name}: its items are sent back unchanged`, async () => {
      const response = await theirResponse();
      const stream = pipe(from(events as OpenAIResponsesPayload[]), decodeOpenAIResponses(), mergeChunks());
      const message = await last(stream);
      const { body } = await sent(["Hi", message!], {}, { api: "responses" });
      expect((body["input"] as object[]).slice(1)).toEqual(
        response.output.map((item) => asInput(item, events)),
      );
    });

    test(`${name}, through the SDK's stream`, async () => {
      const ours = await collect(pipe(from([bytes]), decodeSse(), decodeOpenAIResponses()));
      const stream = await sdk(wire).responses.create({ model: "a", input: "Hi", stream: true });
      expect(await collect(pipe(stream, decodeOpenAIResponses()))).toEqual(ours);
    });
  }

  test("split at every 31st byte", async () => {
    const [recording] = whole.filter(({ name }) => name.startsWith("openai-tool-search"));
    const { events } = recording!;
    const light = events.map((event) =>
      "response" in event ? { type: event.type, response: { id: "r", status: "completed" } } : event,
    );
    const bytes = new TextEncoder().encode(wireOf(light));
    const read = (pieces: readonly Uint8Array[]): Promise<AssistantMessage | undefined> =>
      last(pipe(from(pieces), decodeSse(), decodeOpenAIResponses(), mergeChunks()));
    const expected = await read([bytes]);
    let ways = 0;
    for (const pieces of everyCut(bytes)) if (ways++ % 31 === 0) expect(await read(pieces)).toEqual(expected);
  });

  for (const { name, events } of failing) {
    test(`${name}: an error, like in the SDK`, async () => {
      const wire = wireOf(events);
      const stream = pipe(from([wire]), decodeSse(), decodeOpenAIResponses());
      await expect(collect(stream)).rejects.toMatchObject({
        name: "ModelError",
        code: "provider",
        providerCode: "insufficient_quota",
        retryable: false,
      });
      const theirs = sdk(wire).responses.stream({ model: "a", input: "Hi" });
      const error: unknown = await theirs.finalResponse().catch((error: unknown) => error);
      const ours: unknown = await collect(pipe(from([wire]), decodeSse(), decodeOpenAIResponses())).catch(
        (error: unknown) => error,
      );
      const { message } = (events.find(({ type }) => type === "error") as unknown as { error: Error }).error;
      expect((ours as ModelError).message).toContain(message);
      if (error instanceof Error) expect(error.message).toContain(message);
      else expect(error).toMatchObject({ status: "failed", error: { message } });
    });
  }
});

function wireOf(events: readonly Event[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function sdk(body: BodyInit): OpenAI {
  const headers = { "content-type": "text/event-stream" };
  return new OpenAI({ apiKey: "a", maxRetries: 0, fetch: async () => new Response(body, { headers }) });
}

/** The items of a response in a common form, for both results. */
function expectedOf(response: SdkResponse): unknown {
  const calls = response.output.flatMap((item) =>
    item.type === "function_call"
      ? [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) as unknown }]
      : [],
  );
  const reasoning = response.output.flatMap((item) =>
    item.type === "reasoning" ? item.summary.map(({ text }) => text) : [],
  );
  const texts = response.output.flatMap((item) =>
    item.type === "message"
      ? item.content.map((part) =>
          part.type === "output_text" ? [part.text, part.annotations.length] : part,
        )
      : [],
  );
  return {
    id: response.id,
    model: response.model,
    output_text: response.output_text,
    texts,
    reasoning: reasoning.join(""),
    calls,
    status: response.status,
    usage: response.usage && {
      inputTokens: response.usage.input_tokens,
      outputTokens: response.usage.output_tokens,
      totalTokens: response.usage.total_tokens,
      details: {
        cacheReadTokens: response.usage.input_tokens_details.cached_tokens,
        reasoningTokens: response.usage.output_tokens_details.reasoning_tokens,
      },
    },
  };
}

function summary(message: AssistantMessage): unknown {
  const { content } = message;
  return {
    id: message.id,
    model: message.model,
    output_text: textOf(message),
    texts: content.flatMap((block) =>
      block.type === "text" ? [[block.text, block.annotations?.length ?? 0]] : [],
    ),
    reasoning: content.flatMap((block) => (block.type === "reasoning" ? [block.reasoning] : [])).join(""),
    calls: content.flatMap((block) =>
      block.type === "tool_call" ? [{ id: block.id, name: block.name, args: block.args }] : [],
    ),
    status: message.providerFinishReason,
    usage: message.usage,
  };
}

/** An item of the output for the next input, without fields that the API does not need. */
function asInput(item: SdkResponse["output"][number], events: readonly Event[]): object {
  const { parsed_arguments: _, status, ...others } = item as unknown as Readonly<Record<string, unknown>>;
  switch (item.type) {
    case "message":
      return { ...others, status, content: item.content.map(withoutLogprobs) };
    case "function_call": // the SDK adds what it has parsed of the arguments
      return { ...others, arguments: JSON.stringify(JSON.parse(item.arguments)) };
    case "reasoning": // encrypted anew for each event that has it: ours is that of the item's own end
      return { ...others, ...encryptedIn(events, item.id) };
    default:
      return { ...others, status };
  }
}

function withoutLogprobs(part: object): object {
  const { logprobs: _, parsed: _parsed, ...others } = part as Readonly<Record<string, unknown>>;
  return others;
}

function encryptedIn(events: readonly Event[], id: string): object | undefined {
  const done = (events as readonly (Event & { item?: { id?: string; encrypted_content?: string } })[]).find(
    ({ type, item }) => type === "response.output_item.done" && item?.id === id,
  );
  const { encrypted_content } = done?.item ?? {};
  return typeof encrypted_content === "string" ? { encrypted_content } : undefined;
}
