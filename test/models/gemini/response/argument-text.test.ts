import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ArgumentText } from "#src/models/gemini/response/argument-text.js";
import { parseJsonPath } from "#src/models/gemini/response/json-path.js";
import type { JsonValue } from "millrace";

type Patch = readonly [path: string, value: JsonValue, more?: boolean];

/** The text that each patch adds, and the text that the end adds. */
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

describe("patches in the order of the text only append to it:", () => {
  const cases: readonly [name: string, patches: readonly Patch[], expected: readonly string[]][] = [
    ["no patches", [], ["{}"]],
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
      "a growing string",
      [
        ["$.a", "Os", true],
        ["$.a", "lo", true],
        ["$.a", ""],
      ],
      ['{"a":"Os', "lo", '"', "}"],
    ],
    [
      "a string without an end",
      [
        ["$.a", "Os", true],
        ["$.b", 1],
      ],
      ['{"a":"Os', '","b":1', "}"],
    ],
    [
      "characters that need escapes",
      [
        ["$.a", 'say "hi"\n', true],
        ["$.a", "\u0000"],
      ],
      ['{"a":"say \\"hi\\"\\n', '\\u0000"', "}"],
    ],
    [
      "a split surrogate pair",
      [
        ["$.a", "\ud83d", true],
        ["$.a", "\ude00"],
      ],
      ['{"a":"\\ud83d', '\\ude00"', "}"],
    ],
    [
      "nested objects and arrays",
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
      "nested arrays",
      [
        ["$.a[0][0]", 1],
        ["$.a[0][1]", 2],
        ["$.a[1][0]", 3],
      ],
      ['{"a":[[1', ",2", "],[3", "]]}"],
    ],
    [
      "skipped elements",
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

describe("a patch for a closed place repeats the member, and the last one wins:", () => {
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
      "the rest of a string",
      [
        ["$.a", "x"],
        ["$.b", 1],
        ["$.a", "y"],
      ],
      '{"a":"x","b":1,"a":"xy"}',
      { a: "xy", b: 1 },
    ],
    [
      "the rest of the last string",
      [
        ["$.a", "x"],
        ["$.a", "y", true],
        ["$.a", "z"],
      ],
      '{"a":"x","a":"xyz"}',
      { a: "xyz" },
    ],
    [
      "a member of an earlier object",
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
      "an earlier element, by repeating the nearest member",
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
      "a skipped element",
      [
        ["$.a[1]", 1],
        ["$.a[0].x", 2],
      ],
      '{"a":[null,1],"a":[{"x":2},1]}',
      { a: [{ x: 2 }, 1] },
    ],
    [
      "an element after a repeated array",
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

describe("a contradicting patch makes the text invalid, and is kept in it:", () => {
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
      "a member of a string",
      [
        ["$.a", "x", true],
        ["$.a.b", 2],
      ],
      '{"a":"x"\n{"jsonPath":"$.a.b","value":2}',
    ],
    [
      "a string that replaces an object",
      [
        ["$.a.b", 1],
        ["$.a", "x"],
      ],
      '{"a":{"b":1\n{"jsonPath":"$.a","value":"x"}',
    ],
    ["an element of the root", [["$[0]", 1]], '{\n{"jsonPath":"$[0]","value":1}'],
    ["an index far beyond the length", [["$.a[5000]", 1]], '{\n{"jsonPath":"$.a[5000]","value":1}'],
    ["an empty path", [["", 1]], '{\n{"jsonPath":"","value":1}'],
    [
      "a path to several places",
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

test("two open strings that grow in turn make a text of bounded length", () => {
  const patches = Array.from({ length: 100_000 }, (_, n): Patch => [n % 2 === 0 ? "$.a" : "$.b", "x", true]);
  const text = pieces(patches).join("");
  expect(text.length).toBeLessThan(10_000_000);
  // The rest is kept as it came.
  expect(text.split("\n").at(-1)).toBe('{"jsonPath":"$.b","value":"x"}');
});

test("a path beyond the maximum depth is not parsed", () => {
  expect(parseJsonPath(`$${".a".repeat(1_000)}`)).toHaveLength(1_000);
  expect(parseJsonPath(`$${".a".repeat(1_001)}`)).toBeUndefined();
});

describe("complete arguments", () => {
  test("are written like patches", () => {
    const args = new ArgumentText();
    const text = args.writeAll({ a: [1, { b: "x" }], c: {} }) + args.end();
    expect(text).toBe('{"a":[1,{"b":"x"}],"c":{}}');
  });

  test("add nothing if they are equal to the patches", () => {
    const args = new ArgumentText();
    args.write(["a", 0], 1, false, {});
    expect([args.writeAll({ a: [1] }), args.writeAll({}), args.end()]).toEqual(["", "", "]}"]);
  });

  test("add nothing if they are empty, and take no time for that", () => {
    const args = new ArgumentText();
    args.write(["a"], "x".repeat(1_000_000), true, {});
    let added = "";
    for (let n = 0; n < 100_000; n++) added += args.writeAll({});
    expect(added).toBe("");
  });

  test("that contradict the patches make the text invalid", () => {
    const args = new ArgumentText();
    args.write(["a"], 1, false, {});
    expect(args.writeAll({ a: 2 }) + args.end()).toBe('\n{"a":2}');
  });
});

/** The value of the patches, without any text. */
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

test("patches in any order give their value, and each text is a prefix of JSON", () => {
  // The shape is fixed, like in a schema: objects under names, arrays under "l".
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

test.each([
  ["one path", [`$.a${"[999]".repeat(100)}`]],
  ["many paths", Array.from({ length: 100 }, (_, i) => `$.k${i}[999]`)],
  ["one array", Array.from({ length: 100 }, (_, i) => `$.a[${(i + 1) * 900}]`)],
])("skipped elements do not make the text long: %s", (_, paths) => {
  const text = pieces(paths.map((path) => [path, 1])).join("");
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain(paths.at(-1));
});

test("a path of any length is no error", () => {
  const path = `$['${"a".repeat(14_000_000)}']`;
  expect(pieces([[path, 1]]).join("").length).toBeGreaterThan(path.length);
});
