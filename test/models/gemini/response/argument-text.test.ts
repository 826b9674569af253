import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArgumentText } from "#src/models/gemini/response/argument-text.js";
import { parseJsonPath } from "#src/models/gemini/response/json-path.js";
import type { JsonValue } from "millrace";

type Patch = readonly [path: string, value: JsonValue, more?: boolean];

/** What each patch adds, and what the end adds. */
function pieces(patches: readonly Patch[]): string[] {
  const args = new ArgumentText();
  const texts = patches.map(([path, value, more = false]) =>
    args.write(parseJsonPath(path), value, more, { jsonPath: path, value }),
  );
  return [...texts, args.end()];
}

function valueOf(patches: readonly Patch[]): unknown {
  return JSON.parse(pieces(patches).join(""));
}

describe("patches in the order of the text only add to it:", () => {
  const cases: readonly [name: string, patches: readonly Patch[], expected: readonly string[]][] = [
    ["nothing at all", [], ["{}"]],
    [
      "scalars",
      [
        ["$.a", 1.5],
        ["$.b", true],
        ["$.c", null],
        ["$.d", ""],
      ],
      ['{"a":1.5', ',"b":true', ',"c":null', ',"d":""', "}"],
    ],
    [
      "a text that grows",
      [
        ["$.a", "Os", true],
        ["$.a", "lo", true],
        ["$.a", ""],
      ],
      ['{"a":"Os', "lo", '"', "}"],
    ],
    [
      "a text whose end is not told",
      [
        ["$.a", "Os", true],
        ["$.b", 1],
      ],
      ['{"a":"Os', '","b":1', "}"],
    ],
    [
      "what must be escaped",
      [
        ["$.a", 'say "hi"\n', true],
        ["$.a", "\u0000"],
      ],
      ['{"a":"say \\"hi\\"\\n', '\\u0000"', "}"],
    ],
    [
      "a character cut in two",
      [
        ["$.a", "\ud83d", true],
        ["$.a", "\ude00"],
      ],
      ['{"a":"\\ud83d', '\\ude00"', "}"],
    ],
    [
      "objects and arrays inside each other",
      [
        ["$.r.list[0].x", 1],
        ["$.r.list[0].y[0]", 2],
        ["$.r.list[1].x", 3],
        ["$.r.name", "n"],
        ["$.z", 4],
      ],
      ['{"r":{"list":[{"x":1', ',"y":[2', ']},{"x":3', '}],"name":"n"', '},"z":4', "}"],
    ],
    [
      "an array in an array",
      [
        ["$.a[0][0]", 1],
        ["$.a[0][1]", 2],
        ["$.a[1][0]", 3],
      ],
      ['{"a":[[1', ",2", "],[3", "]]}"],
    ],
    [
      "elements that are left out",
      [
        ["$.a[2]", 1],
        ["$.a[4]", 2],
      ],
      ['{"a":[null,null,1', ",null,2", "]}"],
    ],
    [
      "keys that need quotes",
      [
        ["$['a b']", 1],
        ['$["c\\"d"]', 2],
        ["$['it\\'s \"x\"']", 3],
      ],
      ['{"a b":1', ',"c\\"d":2', ',"it\'s \\"x\\"":3', "}"],
    ],
    ["__proto__, as a member like any other", [["$.__proto__.a", 1]], ['{"__proto__":{"a":1', "}}"]],
  ];
  test.each(cases)("%s", (_, patches, expected) => {
    expect(pieces(patches)).toEqual(expected);
  });
});

describe("a patch for a place that is closed is told by writing a member again, which is the one that counts:", () => {
  const cases: readonly [name: string, patches: readonly Patch[], text: string, value: unknown][] = [
    [
      "another value",
      [
        ["$.a", 1],
        ["$.a", 2],
      ],
      '{"a":1,"a":2}',
      { a: 2 },
    ],
    [
      "more of a text",
      [
        ["$.a", "x"],
        ["$.b", 1],
        ["$.a", "y"],
      ],
      '{"a":"x","b":1,"a":"xy"}',
      { a: "xy", b: 1 },
    ],
    [
      "more of a text that is the last",
      [
        ["$.a", "x"],
        ["$.a", "y", true],
        ["$.a", "z"],
      ],
      '{"a":"x","a":"xyz"}',
      { a: "xyz" },
    ],
    [
      "another member of an object before",
      [
        ["$.a.x", 1],
        ["$.b", 2],
        ["$.a.y", 3],
        ["$.a.z", 4],
      ],
      '{"a":{"x":1},"b":2,"a":{"x":1,"y":3,"z":4}}',
      { a: { x: 1, y: 3, z: 4 }, b: 2 },
    ],
    [
      "an element before, by the nearest object around",
      [
        ["$.r.a[0].x", 1],
        ["$.r.a[1].x", 2],
        ["$.r.a[0].y", 3],
        ["$.r.a[1].y", 4],
      ],
      '{"r":{"a":[{"x":1},{"x":2}],"a":[{"x":1,"y":3},{"x":2,"y":4}]}}',
      {
        r: {
          a: [
            { x: 1, y: 3 },
            { x: 2, y: 4 },
          ],
        },
      },
    ],
    [
      "an element that was left out",
      [
        ["$.a[1]", 1],
        ["$.a[0].x", 2],
      ],
      '{"a":[null,1],"a":[{"x":2},1]}',
      { a: [{ x: 2 }, 1] },
    ],
    [
      "an element behind a repeated array",
      [
        ["$.a[1]", 1],
        ["$.a[0]", 2],
        ["$.a[2]", 3],
      ],
      '{"a":[null,1],"a":[2,1,3]}',
      { a: [2, 1, 3] },
    ],
  ];
  test.each(cases)("%s", (_, patches, text, value) => {
    expect(pieces(patches).join("")).toBe(text);
    expect(valueOf(patches)).toEqual(value);
  });
});

describe("what contradicts the patches before it is kept, in a text that is no JSON:", () => {
  const cases: readonly [name: string, patches: readonly Patch[], text: string][] = [
    [
      "a member of an array",
      [
        ["$.a[0]", 1],
        ["$.a.b", 2],
      ],
      '{"a":[1\n{"jsonPath":"$.a.b","value":2}',
    ],
    [
      "a member of a text",
      [
        ["$.a", "x", true],
        ["$.a.b", 2],
      ],
      '{"a":"x"\n{"jsonPath":"$.a.b","value":2}',
    ],
    [
      "a text in place of an object",
      [
        ["$.a.b", 1],
        ["$.a", "x"],
      ],
      '{"a":{"b":1\n{"jsonPath":"$.a","value":"x"}',
    ],
    ["an element of the whole", [["$[0]", 1]], '{\n{"jsonPath":"$[0]","value":1}'],
    ["a leap over many elements", [["$.a[5000]", 1]], '{\n{"jsonPath":"$.a[5000]","value":1}'],
    ["no path", [["", 1]], '{\n{"jsonPath":"","value":1}'],
    [
      "a path to many places",
      [
        ["$.a[*]", 1],
        ["$.b", 2],
      ],
      '{\n{"jsonPath":"$.a[*]","value":1}\n{"jsonPath":"$.b","value":2}',
    ],
    ["the root", [["$", 1]], '{\n{"jsonPath":"$","value":1}'],
  ];
  test.each(cases)("%s", (_, patches, text) => {
    expect(pieces(patches).join("")).toBe(text);
    expect(() => valueOf(patches)).toThrow(SyntaxError);
  });
});

test("a path without end is none", () => {
  expect(parseJsonPath(`$${".a".repeat(1_000)}`)).toHaveLength(1_000);
  expect(parseJsonPath(`$${".a".repeat(1_001)}`)).toBeUndefined();
});

describe("all arguments at once", () => {
  test("are written as patches would be", () => {
    const args = new ArgumentText();
    expect([args.writeAll({ a: [1, { b: "x" }], c: {} }), args.end()]).toEqual([
      '{"a":[1,{"b":"x"}],"c":{}',
      "}",
    ]);
  });

  test("say nothing new if they are what the patches said", () => {
    const args = new ArgumentText();
    args.write(["a", 0], 1, false, {});
    expect([args.writeAll({ a: [1] }), args.writeAll({}), args.end()]).toEqual(["", "", "]}"]);
  });

  test("that contradict them break the text", () => {
    const args = new ArgumentText();
    args.write(["a"], 1, false, {});
    expect(args.writeAll({ a: 2 }) + args.end()).toBe('\n{"a":2}');
  });
});

/** What the patches mean, put together without any text. */
function reference(patches: readonly (readonly [readonly (string | number)[], JsonValue])[]): unknown {
  const root: Record<string, unknown> = {};
  for (const [path, value] of patches) {
    let node = root as Record<string | number, unknown>;
    path.slice(0, -1).forEach((step, i) => {
      node[step] ??= typeof path[i + 1] === "number" ? [] : {};
      node = node[step] as typeof node;
    });
    const last = path.at(-1) as string | number;
    const before = node[last];
    node[last] = typeof before === "string" && typeof value === "string" ? before + value : value;
  }
  return JSON.parse(JSON.stringify(root));
}

test("patches in any order give the value that they describe, and each text is the start of JSON", () => {
  // The shape is fixed, as a schema fixes it: objects under names, arrays under "l".
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const path = fc.oneof(
    fc.tuple(fc.constantFrom("a", "b")),
    fc.tuple(fc.constant("o"), fc.constantFrom("x", "y")),
    fc.tuple(fc.constant("l"), fc.nat({ max: 3 }), fc.constantFrom("x", "y")),
    fc.tuple(fc.constant("m"), fc.nat({ max: 2 }), fc.nat({ max: 2 })),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(path, leaf, fc.boolean()), { maxLength: 14 }), (patches) => {
      const args = new ArgumentText();
      let text = "";
      for (const [way, value, more] of patches) {
        text += args.write(way, value, more && typeof value === "string", {});
      }
      text += args.end();
      expect(JSON.parse(text)).toEqual(reference(patches.map(([way, value]) => [way, value])));
    }),
    { numRuns: 400 },
  );
});
