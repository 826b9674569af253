import fc from "fast-check";
import {
  collect,
  from,
  type JsonEvent,
  jsonParser,
  type JsonOutputParserOptions,
  type JsonValue,
  type MessageChunk,
  OutputParserError,
  pipe,
} from "millrace";
import { Allow } from "millrace/json";
import { everyCut, everyWay, operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../json/support/arbitraries.js";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { places } from "../../json/support/differences.js";
import { optionsArbitrary } from "../../json/support/play.js";
import { readPrefix } from "../../json/support/reference.js";
import { runs } from "../../json/support/runs.js";
import { copyOf, expectSame } from "../../json/support/same-json.js";

// G-stream-1
describe("jsonParser().events", () => {
  test("yields each value at the chunk that completes it, inner values first", async () => {
    const seen: string[] = [];
    async function* model(): AsyncGenerator<string> {
      for (const chunk of ['{"to": "A', 'da", "n": 12', '50, "list": ["x"', ', {"a/b": null}', "]}"]) {
        seen.push(chunk);
        yield chunk;
      }
    }
    for await (const { pointer, value, state } of pipe(model(), jsonParser().events)) {
      if (state !== "complete") continue;
      seen.push(`  ${pointer} ${JSON.stringify(value)}`);
    }
    expect(seen).toEqual([
      '{"to": "A',
      'da", "n": 12',
      '  /to "Ada"',
      '50, "list": ["x"',
      "  /n 1250",
      ', {"a/b": null}',
      '  /list/0 "x"',
      "  /list/1/a~1b null",
      '  /list/1 {"a/b":null}',
      "]}",
      '  /list ["x",{"a/b":null}]',
      '   {"to":"Ada","n":1250,"list":["x",{"a/b":null}]}',
    ]);
  });

  test("reports a value once, and none of a document that is only tried", async () => {
    const schema = { type: "object", properties: { a: { type: "array" } } } as const;
    for (const chunks of everyCut('So: {"a": {"b": 1}} or {"q": 1, "a": [2]}')) {
      const { all, error } = await read(chunks, jsonParser(schema, { coerce: false }).events);
      expect(error).toBeUndefined();
      expect(states(all)).toEqual([
        ...["incomplete ", "pending /a", "incomplete /q", "complete /q"],
        ...["incomplete /a", "incomplete /a/0", "complete /a/0", "complete /a", "complete "],
      ]);
    }
    const prose = await read(["The answer is 42."], jsonParser({ type: "integer" }).events);
    expect(states(prose.all)).toEqual(["incomplete ", "complete "]);
  });

  test("ends with the error of the other views, also without a schema", async () => {
    for (const chunks of everyCut("[a, b] is the text")) {
      const { error } = await read(chunks);
      await expect(collect(pipe(from(chunks), jsonParser().final))).rejects.toThrow(
        error?.message ?? "no error",
      );
    }
  });

  const task = {
    type: "object",
    properties: {
      title: { type: "string" },
      due: { type: "object", properties: { day: { type: "number" }, hour: { type: "number" } } },
      tags: { type: "array", items: { type: "string" } },
    },
  };

  test("yields when each value begins, and which members are still to come", async () => {
    const { all } = await read(
      ['{"title": "x", "due": {"day": 1}, ', '"more": [tr'],
      jsonParser(task).events,
    );
    expect(states(all)).toEqual([
      "incomplete ",
      ...["pending /title", "pending /due", "pending /tags"],
      ...["incomplete /title", "complete /title"],
      ...["incomplete /due", "pending /due/day", "pending /due/hour"],
      ...["incomplete /due/day", "complete /due/day", "complete /due"],
      ...["incomplete /more", "incomplete /more/0"],
      ...["incomplete /more", "incomplete "],
    ]);
  });

  test("yields pending members of a union that all its objects have", async () => {
    const schema = {
      anyOf: [
        { type: "object", properties: { kind: { const: "a" }, n: { type: "number" } }, required: ["kind"] },
        { type: "object", properties: { kind: { const: "b" }, s: { type: "string" } }, required: ["kind"] },
        { type: "null" },
      ],
    };
    const { all } = await read(['{"kind": "a"}'], jsonParser(schema).events);
    expect(states(all)).toEqual([
      ...["incomplete ", "pending /kind", "incomplete /kind", "complete /kind", "complete "],
    ]);
  });

  test("yields the places of values as they are read, with coercion", async () => {
    const text = '{"Title": ["x"], "due": "{\\"day\\": 1}", "tags": "a"}';
    const expected = [
      "incomplete ",
      ...["pending /title", "pending /due", "pending /tags"],
      ...["incomplete /title", "complete /title"],
      ...["incomplete /due", "complete /due/day", "complete /due"],
      ...["incomplete /tags", "complete /tags/0", "complete /tags"],
      "complete ",
    ];
    for (const chunks of everyCut(text)) {
      expect(states((await read(chunks, jsonParser(task).events)).all)).toEqual(expected);
    }
  });

  test("yields the place of one object in a list", async () => {
    const schema = { type: "object", properties: { tasks: { type: "array", items: task } } };
    const text = '{"tasks": {"title": "x"}}';
    for (const chunks of everyCut(text)) {
      expect(states((await read(chunks, jsonParser(schema).events)).all)).toEqual([
        ...["incomplete ", "pending /tasks", "incomplete /tasks", "incomplete /tasks/0"],
        ...["pending /tasks/0/title", "pending /tasks/0/due", "pending /tasks/0/tags"],
        ...["incomplete /tasks/0/title", "complete /tasks/0/title"],
        ...["complete /tasks/0", "complete /tasks", "complete "],
      ]);
    }
  });

  /** The open values at the end, after `{"done": 1` is complete. */
  const cuts: readonly (readonly [
    name: string,
    text: string,
    open: readonly (readonly [string, unknown])[],
  ])[] = [
    [
      "inside a string",
      ', "s": "He sa',
      [
        ["/s", "He sa"],
        ["", { done: 1, s: "He sa" }],
      ],
    ],
    [
      "inside an escape",
      ', "s": "caf\\u00',
      [
        ["/s", "caf"],
        ["", { done: 1, s: "caf" }],
      ],
    ],
    ["inside a number, which is not known", ', "n": 12', [["", { done: 1 }]]],
    ["inside a literal", ', "n": nul', [["", { done: 1 }]]],
    ["inside a key", ', "ke', [["", { done: 1 }]]],
    ["after a key", ', "key":', [["", { done: 1 }]]],
    ["after a comma", ", ", [["", { done: 1 }]]],
    [
      "at an empty string",
      ', "s": "',
      [
        ["/s", ""],
        ["", { done: 1, s: "" }],
      ],
    ],
    [
      "in an empty list",
      ', "l": [',
      [
        ["/l", []],
        ["", { done: 1, l: [] }],
      ],
    ],
    [
      "deep inside",
      ', "a": [{"b": {"c": ["x',
      [
        ["/a/0/b/c/0", "x"],
        ["/a/0/b/c", ["x"]],
        ["/a/0/b", { c: ["x"] }],
        ["/a/0", { b: { c: ["x"] } }],
        ["/a", [{ b: { c: ["x"] } }]],
        ["", { done: 1, a: [{ b: { c: ["x"] } }] }],
      ],
    ],
    [
      "at a repeated key that is not the last of its object",
      ', "e": 2, "done": {"x": "y',
      [
        ["/done/x", "y"],
        ["/done", { x: "y" }],
        ["", { done: { x: "y" }, e: 2 }],
      ],
    ],
    [
      "at an integer key, which objects list first",
      ', "1": "x',
      [
        ["/1", "x"],
        ["", { 1: "x", done: 1 }],
      ],
    ],
  ];

  describe.each(cuts)("of a document that is truncated %s", (_name, rest, open) => {
    const text = `{"done": 1${rest}`;
    const expected: JsonEvent[] = open.map(([pointer, value]) => ({
      pointer,
      value: value as JsonValue,
      state: "incomplete" as const,
    }));

    test("yields each open value with its known part, before the error", async () => {
      const { events, error } = await read(cutShort(text));
      expect(incomplete(events)).toEqual(expected);
      expect(error).toMatchObject({ code: "truncated", finishReason: "length" });
    });

    test('yields them also with onTruncated "keep"', async () => {
      const kept = jsonParser(undefined, { onTruncated: "keep" }).events;
      expect(incomplete(known(await collect(pipe(from(cutShort(text)), kept))))).toEqual(expected);
    });

    test("yields them also if the text is invalid there", async () => {
      const strict = jsonParser(undefined, { strict: true });
      const { events, error } = await read([text, "\u0000"], strict.events);
      // The invalid character after a number ends the number.
      const ended = rest.endsWith("12");
      expect(incomplete(events)).toEqual(ended ? [{ ...expected[0], value: { done: 1, n: 12 } }] : expected);
      expect(error?.code).toBe("invalid");
    });
  });

  test("does not report a number that allow shows before its end as complete", async () => {
    const { events } = await read(["[1, 12"], jsonParser(undefined, { allow: Allow.ALL }).events);
    expect(events).toEqual([
      { pointer: "/0", value: 1, state: "complete" },
      { pointer: "/1", value: 12, state: "incomplete" },
      { pointer: "", value: [1, 12], state: "incomplete" },
    ]);
  });

  test("yields complete values inside a hidden container, but not the truncated container", async () => {
    const { events } = await read(['{"a": [1, {"b": "x'], jsonParser(undefined, { allow: Allow.OBJ }).events);
    expect(events).toEqual([
      { pointer: "/a/0", value: 1, state: "complete" },
      { pointer: "", value: {}, state: "incomplete" },
    ]);
  });

  test("begins a refused value once, however the text is cut", async () => {
    const schema = { type: "object", properties: { tags: { type: "array" } } };
    for (const chunks of everyCut('{"tags": null}')) {
      const { all, error } = await read(chunks, jsonParser(schema, { strict: true }).events);
      expect(error?.code).toBe("schema");
      expect(states(all).filter((it) => it === "incomplete /tags")).toHaveLength(1);
    }
  });

  test("yields both values of a repeated key", async () => {
    expect(known(await collect(pipe(from(['{"a": "x", "a": [2]}']), jsonParser().events)))).toEqual([
      { pointer: "/a", value: "x", state: "complete" },
      { pointer: "/a/0", value: 2, state: "complete" },
      { pointer: "/a", value: [2], state: "complete" },
      { pointer: "", value: { a: [2] }, state: "complete" },
    ]);
  });

  test.each(["null", "0", '"a"', "[]"])("yields %s at the root as one complete value", async (text) => {
    const expected = [{ pointer: "", value: JSON.parse(text) as unknown, state: "complete" }];
    for (const chunks of everyCut(text)) {
      expect(known(await collect(pipe(from(chunks), jsonParser().events)))).toEqual(expected);
    }
  });

  test("reports values that a repair closed as complete", async () => {
    expect(known(await collect(pipe(from(["{a: [1, true"]), jsonParser().events)))).toEqual([
      { pointer: "/a/0", value: 1, state: "complete" },
      { pointer: "/a/1", value: true, state: "complete" },
      { pointer: "/a", value: [1, true], state: "complete" },
      { pointer: "", value: { a: [1, true] }, state: "complete" },
    ]);
  });

  test("yields a value that only the end of the text completes, also in a truncated document", async () => {
    // With repair the quote could have been part of the string.
    const { events, error } = await read(cutShort('{"a": ["x"'));
    expect(events).toEqual([
      { pointer: "/a/0", value: "x", state: "complete" },
      { pointer: "/a", value: ["x"], state: "incomplete" },
      { pointer: "", value: { a: ["x"] }, state: "incomplete" },
    ]);
    expect(error?.code).toBe("truncated");
  });

  test("yields nothing for a text without a document, and ends with an error", async () => {
    for (const options of [{}, { onTruncated: "keep" }] as const) {
      const { events, error } = await read(["No JSON."], jsonParser(undefined, options).events);
      expect(events).toEqual([]);
      expect(error?.code).toBe("truncated");
    }
  });

  test("checks the whole value at the end, after all events", async () => {
    const schema = { type: "object", required: ["b"] };
    const { events, error } = await read(['{"a": 1}'], jsonParser(schema).events);
    expect(events.map(({ pointer }) => pointer)).toEqual(["/a", ""]);
    expect(error?.code).toBe("schema");
  });

  test("yields no event for the value that broke the schema", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "array", items: { maximum: 5, type: "integer" } } },
    };
    const { events, error } = await read(['{"a": [1, 12, 3]}'], jsonParser(schema).events);
    expect(events).toEqual([
      { pointer: "/a/0", value: 1, state: "complete" },
      { pointer: "/a", value: [1], state: "incomplete" },
      { pointer: "", value: { a: [1] }, state: "incomplete" },
    ]);
    expect(error?.code).toBe("schema");
  });

  test("yields values that do not change later", async () => {
    const text = '{"a": [{"b": "xy"}, [1, 2]], "c": {"d": [{"e": "f';
    const chunks = Array.from(text);
    const { all: events } = await read(chunks, jsonParser().events);
    const frozen: JsonEvent[] = [];
    await expect(async () => {
      for await (const event of pipe(from(chunks), jsonParser().events)) frozen.push(deepFreeze(event));
    }).rejects.toThrow(OutputParserError);
    expect(frozen).toEqual(events);
    expect(known(events)[1]).toEqual({ pointer: "/a/0", value: { b: "xy" }, state: "complete" });
  });

  test.each([
    ["a complete document", '```json\n{"a": "x\\n", "b": [1.5, {"c": null}], "a": true}\n```\nDone.'],
    ["a document that needs repairs", "{a: 'x', b: [1 2,], // two\n c: None}"],
    ["a truncated document", 'Here: {"a": "x", "b": [1.5, {"c": "caf\\u00e9'],
    ["an invalid document", '{"a": ["x", {"b": 1]}'],
  ])("yields the same events for every split of %s into chunks", async (_name, text) => {
    const once = (await read([text, ""], jsonParser().events)).all;
    expect(once.length).toBeGreaterThan(3);
    for (const chunks of everyWay(text)) {
      expect((await read(chunks, jsonParser().events)).all).toEqual(once);
    }
  });

  // G-parsers-8
  test("reports each known value once, with the right completeness, at every cut of the text", async () => {
    await fc.assert(
      fc.asyncProperty(
        jsonText({ duplicates: false }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        stepsArbitrary,
        optionsArbitrary,
        async (text, part, steps, { allow }) => {
          const prefix = text.slice(0, Math.floor(part * (text.length + 1)));
          const options: JsonOutputParserOptions = { strict: true, allow };
          const stream = jsonParser(undefined, options).events;
          const { events } = await read(chunksOf(prefix, steps), stream);

          const { shown, complete, whole } = readPrefix(prefix, allow);
          const value = whole ? (JSON.parse(prefix) as JsonValue) : shown;
          const known = new Map(value === undefined ? [] : places(value));
          const said = new Map(events.map((event) => [event.pointer, event]));
          expect(said.size, "no place twice").toBe(events.length);
          for (const [pointer, expected] of known) {
            const event = said.get(pointer);
            expectSame(event?.value, expected, pointer);
            expect(event?.state === "complete", pointer).toBe(whole || complete.has(pointer));
          }
          // Besides the shown values there are only complete values inside hidden containers.
          for (const { pointer, state } of events) {
            expect(known.has(pointer) || state === "complete").toBe(true);
          }
          for (const [i, { pointer }] of events.entries()) {
            const around = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
            const after = events.slice(i + 1).some((other) => other.pointer === around);
            expect(pointer === "" || after || !known.has(around), pointer).toBe(true);
          }
        },
      ),
      { numRuns: Math.ceil(runs / 4) },
    );
  });
});

describe("the laws of an operator, for jsonParser().events", () => {
  const inputs = ['{"a": [1, "x', 'y"], ', '"b": {"c": nu', "ll}}"];
  const cut = (): Iterable<readonly string[]> => everyWay(inputs.join(""));
  for (const law of operatorLaws(() => jsonParser().events, { inputs, cut })) {
    test.concurrent(law.name, async () => law.check());
  }
});

/** A text in two chunks of a model that reached its token limit. */
function cutShort(text: string): MessageChunk[] {
  return [
    { content: [{ type: "text", text: text.slice(0, 5) }] },
    { content: [{ type: "text", text: text.slice(5) }], finishReason: "length" },
  ];
}

interface EventsRead {
  readonly all: JsonEvent[];
  /** The events with a value. */
  readonly events: JsonEvent[];
  readonly error: OutputParserError | undefined;
}

/** The events of a stream, each copied on arrival, and the error that ended it. */
async function read(
  chunks: readonly (string | MessageChunk)[],
  operator = jsonParser().events,
): Promise<EventsRead> {
  const all: JsonEvent[] = [];
  let error: OutputParserError | undefined;
  try {
    for await (const event of pipe(from(chunks), operator)) all.push(copyOf(event));
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(OutputParserError);
    error = thrown as OutputParserError;
  }
  return { all, events: known(all), error };
}

/** The events that have a value: those of complete values, and those at an early end. */
function known(events: readonly JsonEvent[]): JsonEvent[] {
  return events.filter(({ value }) => value !== undefined);
}

/** The state and place of each event, in one word each. */
function states(events: readonly JsonEvent[]): string[] {
  return events.map(({ pointer, state }) => `${state} ${pointer}`);
}

function incomplete(events: readonly JsonEvent[]): JsonEvent[] {
  return events.filter(({ state }) => state === "incomplete");
}
