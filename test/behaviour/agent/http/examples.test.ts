import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentEvent, JsonValue } from "millrace";
import { Allow, parse } from "partial-json";
import { applyPatch } from "../../../json/support/apply-patch.js";
import { apis } from "./apis.js";
import { type Conversed, converse } from "./conversation.js";
import { besideTools } from "./examples/beside-tools.js";
import type { Example, Line } from "./examples/example.js";
import { mistaken } from "./examples/mistaken.js";
import { ratings } from "./examples/ratings.js";
import { responses } from "./examples/responses.js";
import { linesOf } from "./transcript.js";

const question = "Who is it?";
const examples: readonly Example[] = [...responses, ...mistaken, ...ratings, ...besideTools];

describe.each(apis)("over HTTP with the API of $name:", (api) => {
  const mock = new LLMock({ port: 0 });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());

  test.each(examples)("$name", async (example) => {
    const ran = await converse(mock, api, example.options, question, example.answers);
    expectOutcome(example, ran);
    const whole = before(example, example.conversation.length);
    // An error that handleError throws has no state.
    if (!(ran.error instanceof RangeError)) {
      expect(linesOf(ran.state?.messages ?? [])).toEqual(matchers(whole));
    }
    expect(ran.received).toEqual(
      example.conversation.map((_, step) => matchers(asSent(before(example, step)))),
    );
    expectAsked(example, ran);
    expectCompleteEvents(ran);
  });
});

function expectOutcome({ response, error }: Example, ran: Conversed): void {
  if (error !== undefined) {
    expect(ran.error).toMatchObject(error);
    return;
  }
  expect(ran.error).toBeUndefined();
  expect(ran.events.at(-1)).toMatchObject({
    type: "finish",
    reason: "structured",
    structuredResponse: response,
  });
}

/** The conversation before a step, counted from 0. */
function before({ conversation }: Example, step: number): Line[] {
  return [`user: ${question}`, ...conversation.slice(0, step).flat()];
}

function matchers(lines: readonly Line[]): unknown[] {
  return lines.map((line): unknown => (typeof line === "string" ? line : expect.stringMatching(line)));
}

/** Requests lack the status of a tool message, and have what can be read of the arguments of a cut call. */
function asSent(lines: readonly Line[]): Line[] {
  return lines.map((line) => {
    if (typeof line !== "string") return line;
    return line
      .replace(/^(c\d) failed:/, "$1:")
      .replace(
        /^(c\d = \w+)\?\((.*)\)$/s,
        (_, call: string, args: string) =>
          `${call}(${JSON.stringify(parse(args, Allow.COLLECTION | Allow.STR))})`,
      );
  });
}

/** Each request asks for the response in the same way. */
function expectAsked({ options, asText = false, conversation }: Example, { asked }: Conversed): void {
  const tools = (options.tools ?? []).map(({ name }) => name);
  expect(asked).toHaveLength(conversation.length);
  for (const one of asked) {
    expect(one.required).toBe(!asText);
    expect(one.schema === undefined).toBe(!asText);
    expect(one.tools.slice(0, tools.length)).toEqual(tools);
    expect(one.tools.length > tools.length).toBe(!asText);
  }
}

/** The events contain the whole conversation, and their patches make the response. */
function expectCompleteEvents({ events, state }: Conversed): void {
  const messages = events.flatMap((event) => (event.type === "message" ? [event.message] : []));
  if (state !== undefined) expect(linesOf(messages)).toEqual(linesOf(state.messages).slice(1));
  const { response } = state ?? {};
  if (response !== undefined) expect(patched(events)).toEqual(response.value);
}

function patched(events: readonly AgentEvent[]): JsonValue {
  return events.reduce<JsonValue>(
    (value, event) => (event.type === "structured_patch" ? applyPatch(value, event.patch) : value),
    null,
  );
}
