import { Allow } from "millrace";
import type { JsonGuard, JsonPlace, JsonWatch } from "millrace/json";
import { describe, expect, test } from "vitest";
import { Kind } from "#src/json/build/kinds.js";
import { parserOf } from "../../support/parser-of.js";

/** A guard that logs its calls with their places, and returns the test's answers. */
function recorder(answersAt: (place: JsonPlace) => Partial<JsonWatch> = () => ({})): {
  guard: JsonGuard;
  calls: string[];
} {
  const calls: string[] = [];
  const guard: JsonGuard = {
    watch: (place: JsonPlace): JsonWatch => {
      const answers = answersAt(place);
      const note = (call: string, inChild = true): void => {
        calls.push(`${call} ${place.pointer(inChild)}`);
      };
      return {
        key: (key) => (note(`key ${key}`), answers.key?.(key) ?? key),
        open: (kind, hidden) => (
          note(kind === Kind.OBJECT ? "object" : "array"),
          answers.open?.(kind, hidden) ?? hidden
        ),
        close: () => {
          note("close", false);
          answers.close?.();
        },
        closed: () => answers.closed?.(),
        begin: (kinds) => (note(`begin ${kinds}`), answers.begin?.(kinds) ?? true),
        text: (text, suffix) => (note(`text ${text} +${suffix}`), answers.text?.(text, suffix) ?? true),
        leaf: (value) => (note(`leaf ${value}`), answers.leaf === undefined ? value : answers.leaf(value)),
      };
    },
  };
  return { guard, calls };
}

describe("a guard is called", () => {
  test("for each event before it is processed, with its place", () => {
    const { guard, calls } = recorder();
    const parser = parserOf({ guard });
    for (const chunk of ['{"a":[1,"x', "y", '"],"b"', ":nu", 'll,"c":{}}']) parser.write(chunk);
    expect(calls).toEqual([
      "object ",
      "key a /a",
      "array /a",
      "leaf 1 /a/0",
      "text x +x /a/1",
      "text xy +y /a/1",
      "leaf xy /a/1",
      "close /a",
      "key b /b",
      `begin ${Kind.NULL} /b`,
      "leaf null /b",
      "key c /c",
      "object /c",
      "close /c",
      "close ",
    ]);
  });

  test("for each value of a chunk that is long enough for JSON.parse", () => {
    const { guard, calls } = recorder();
    const parser = parserOf({ guard });
    parser.write(JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id }))));
    expect(calls.filter((call) => call.startsWith("leaf")).length).toBe(1_000);
    expect(calls.slice(-3)).toEqual(["leaf 999 /999/id", "close /999", "close "]);
  });

  test("with all types that a word may still become, with repair", () => {
    const { guard, calls } = recorder();
    const parser = parserOf({ guard, repair: true });
    for (const chunk of ["[t", "oday, -", "1, w x"]) parser.write(chunk);
    const any = Kind.STRING | Kind.NUMBER | Kind.TRUE | Kind.FALSE | Kind.NULL;
    expect(calls.filter((call) => call.startsWith("begin"))).toEqual([
      `begin ${Kind.TRUE | Kind.STRING} /0`,
      `begin ${Kind.TRUE | Kind.STRING} /0`,
      `begin ${any} /0`,
      // `-Infinity` becomes null.
      `begin ${Kind.NUMBER | Kind.STRING | Kind.NULL} /1`,
      `begin ${any} /2`,
    ]);
  });
});

describe("a guard determines", () => {
  test("which values are shown while they grow", () => {
    const { guard } = recorder(() => ({ text: (text) => text.length > 2 }));
    const parser = parserOf({ guard, append: true });
    parser.write('["ab');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [] }]);
    parser.write("c");
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/0", value: "abc" }]);
    parser.write('d"');
    expect(parser.takePatch()).toEqual([{ op: "append", path: "/0", value: "d" }]);
  });

  test("which container is hidden, and when it is shown", () => {
    const { guard } = recorder((place) => ({
      open: (kind) => kind === Kind.OBJECT,
      leaf: (value) => {
        if (value === 2) place.reveal();
        return value;
      },
    }));
    const parser = parserOf({ guard });
    parser.write('[{"a":[1],');
    expect(parser.snapshot()).toEqual([]);
    parser.write('"b":2,');
    expect(parser.snapshot()).toEqual([{ a: [1], b: 2 }]);
    parser.write('"c":3},{"a":1}');
    expect(parser.snapshot()).toEqual([{ a: [1], b: 2, c: 3 }, { a: 1 }]);
  });

  test("whether a container is shown from now on, when one of its members ends", () => {
    let closed = 0;
    const { guard } = recorder((place) => ({
      open: (kind) => kind === Kind.OBJECT,
      closed: () => {
        if (++closed === 1) place.reveal();
      },
    }));
    const parser = parserOf({ guard });
    parser.write('["x",{"a":[1');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: ["x"] }]);
    parser.write("]");
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/1", value: { a: [1] } }]);
    parser.write(',"b":[2');
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/1/b", value: [] }]);
    parser.write("]},{");
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/1/b/0", value: 2 }]);
    expect(parser.snapshot()).toEqual(["x", { a: [1], b: [2] }]);
  });

  test("nothing about values that are already shown", () => {
    const { guard } = recorder((place) => ({
      key: (key) => (place.reveal(), key),
      closed: () => {
        place.reveal();
      },
      leaf: (value) => (place.reveal(), value),
    }));
    const parser = parserOf({ guard });
    parser.write('[{"a":1,"b":[2,{}]},');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [{ a: 1, b: [2, {}] }] }]);
    parser.write('[3],"x"]');
    expect(parser.takePatch()).toEqual([
      { op: "add", path: "/1", value: [3] },
      { op: "add", path: "/2", value: "x" },
    ]);
  });

  test("whether an incomplete number or literal is shown, if allow permits it", () => {
    const { guard, calls } = recorder(() => ({ begin: (kinds) => (kinds & Kind.NUMBER) !== 0 }));
    const parser = parserOf({ guard, allow: Allow.ALL });
    parser.write("[12");
    expect(parser.snapshot()).toEqual([12]);
    parser.write("3,tr");
    expect(parser.snapshot()).toEqual([123]);
    parser.write("ue,n");
    expect(parser.snapshot()).toEqual([123, true]);
    expect(calls.filter((call) => /^(?:begin|text)/.test(call))).toEqual([
      `begin ${Kind.NUMBER} /0`,
      `begin ${Kind.TRUE} /1`,
      `begin ${Kind.NULL} /2`,
    ]);
  });

  test("the key of a member, and the value of a scalar", () => {
    const { guard } = recorder(() => ({
      key: (key) => key.toLowerCase(),
      leaf: (value) => (value === null ? undefined : value === 1 ? [[1], { one: 1 }] : value),
    }));
    const complete: string[] = [];
    const parser = parserOf({ guard, onComplete: (pointer) => complete.push(pointer) });
    parser.write('{"A":1,"B":null,"C":[2,null,3],"d":1}');
    expect(parser.snapshot()).toEqual({ a: [[1], { one: 1 }], c: [2, 3], d: [[1], { one: 1 }] });
    expect(complete).toEqual([
      ...["/a/0/0", "/a/0", "/a/1/one", "/a/1", "/a", "/c/0", "/c/1", "/c"],
      ...["/d/0/0", "/d/0", "/d/1/one", "/d/1", "/d", ""],
    ]);
  });

  test("which values are withheld, and the values in their place", () => {
    const { guard, calls } = recorder((place) => ({
      open: (kind, hidden) => {
        if (kind === Kind.OBJECT) place.hold();
        return hidden || kind === Kind.OBJECT;
      },
      close: () => {
        if (place.pointer(false) === "") place.settle([]);
      },
      closed: () => {
        if (place.pointer(true) === "/1") place.settle([{ value: "one" }, { value: { two: 2 } }]);
      },
      leaf: (value) => (place.pointer(true) === "/2" ? undefined : value),
    }));
    const complete: string[] = [];
    const parser = parserOf({ guard, onComplete: (pointer) => complete.push(pointer) });
    parser.write('[0,{"a":[1');
    expect([parser.snapshot(), parser.isComplete("/1")]).toEqual([[0], false]);
    parser.write("]}");
    expect(parser.snapshot()).toEqual([0, "one", { two: 2 }]);
    parser.write(',4,{"b":[]},5,[6]]');
    expect(parser.snapshot()).toEqual([0, "one", { two: 2 }, 4]);
    expect(calls).toContain("leaf 5 /5");
    expect(calls).toContain("array /6");
    expect(complete).toEqual(["/0", "/1", "/2/two", "/2", "/3", ""]);
  });

  test("when the parser stops: with the guard's error, and without the current value", () => {
    const error = new Error("no two");
    const { guard } = recorder(() => ({
      leaf: (value) => {
        if (value === 2) throw error;
        return value;
      },
    }));
    const parser = parserOf({ guard });
    expect(() => {
      parser.write("[1,2,3]");
    }).toThrow(error);
    expect([parser.value, parser.snapshot(), parser.takePatch()]).toEqual([
      [1],
      [1],
      [{ op: "replace", path: "", value: [1] }],
    ]);
    expect(() => {
      parser.write("4");
    }).toThrow(error);
  });
});
