import { Allow, JsonParser } from "millrace";
import type { JsonGuard, JsonPlace, JsonWatch } from "millrace/json";
import { describe, expect, test } from "vitest";
import { Kind } from "#src/json/build/kinds.js";

/** A guard that logs its calls with their places, and returns the test's answers. */
function recorder(answers: Partial<JsonWatch> = {}): { guard: JsonGuard; calls: string[] } {
  const calls: string[] = [];
  const guard: JsonGuard = {
    watch: (place: JsonPlace): JsonWatch => {
      const note = (call: string, inChild = true): void => {
        calls.push(`${call} ${place.pointer(inChild)}`);
      };
      return {
        key: (key) => (note(`key ${key}`), answers.key?.(key) ?? false),
        open: (kind, hidden) => (
          note(kind === Kind.OBJECT ? "object" : "array"),
          answers.open?.(kind, hidden) ?? hidden
        ),
        close: () => (note("close", false), answers.close?.() ?? false),
        begin: (kinds) => (note(`begin ${kinds}`), answers.begin?.(kinds) ?? true),
        text: (text, suffix) => (note(`text ${text} +${suffix}`), answers.text?.(text, suffix) ?? true),
        leaf: (value) => (note(`leaf ${value}`), answers.leaf?.(value) ?? false),
      };
    },
  };
  return { guard, calls };
}

describe("a guard is called", () => {
  test("for each event before it is processed, with its place", () => {
    const { guard, calls } = recorder();
    const parser = new JsonParser({ guard });
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
    const parser = new JsonParser({ guard });
    parser.write(JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id }))));
    expect(calls.filter((call) => call.startsWith("leaf")).length).toBe(1_000);
    expect(calls.slice(-3)).toEqual(["leaf 999 /999/id", "close /999", "close "]);
  });

  test("with all types that a word may still become, with repair", () => {
    const { guard, calls } = recorder();
    const parser = new JsonParser({ guard, repair: true });
    for (const chunk of ["[t", "oday, -", "1, w"]) parser.write(chunk);
    const any = Kind.STRING | Kind.NUMBER | Kind.TRUE | Kind.FALSE | Kind.NULL;
    expect(calls.filter((call) => call.startsWith("begin"))).toEqual([
      `begin ${Kind.TRUE | Kind.STRING} /0`,
      // `-Infinity` becomes null.
      `begin ${Kind.NUMBER | Kind.STRING | Kind.NULL} /1`,
      `begin ${any} /2`,
    ]);
  });
});

describe("a guard determines", () => {
  test("which values are shown while they grow", () => {
    const { guard } = recorder({ text: (text) => text.length > 2 });
    const parser = new JsonParser({ guard, append: true });
    parser.write('["ab');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [] }]);
    parser.write("c");
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/0", value: "abc" }]);
    parser.write('d"');
    expect(parser.takePatch()).toEqual([{ op: "append", path: "/0", value: "d" }]);
  });

  test("which container is hidden, and when it is shown", () => {
    const { guard } = recorder({ open: (kind) => kind === Kind.OBJECT, leaf: (value) => value === 2 });
    const parser = new JsonParser({ guard });
    parser.write('[{"a":[1],');
    expect(parser.snapshot()).toEqual([]);
    parser.write('"b":2,');
    expect(parser.snapshot()).toEqual([{ a: [1], b: 2 }]);
    parser.write('"c":3},{"a":1}');
    expect(parser.snapshot()).toEqual([{ a: [1], b: 2, c: 3 }, { a: 1 }]);
  });

  test("whether a container is shown from now on, when one of its members ends", () => {
    let closed = 0;
    const { guard } = recorder({ open: (kind) => kind === Kind.OBJECT, close: () => ++closed === 1 });
    const parser = new JsonParser({ guard });
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
    const { guard } = recorder({ key: () => true, close: () => true, leaf: () => true });
    const parser = new JsonParser({ guard });
    parser.write('[{"a":1,"b":[2,{}]},');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [{ a: 1, b: [2, {}] }] }]);
    parser.write('[3],"x"]');
    expect(parser.takePatch()).toEqual([
      { op: "add", path: "/1", value: [3] },
      { op: "add", path: "/2", value: "x" },
    ]);
  });

  test("whether an incomplete number or literal is shown, if allow permits it", () => {
    const { guard, calls } = recorder({ begin: (kinds) => (kinds & Kind.NUMBER) !== 0 });
    const parser = new JsonParser({ guard, allow: Allow.ALL });
    parser.write("[12");
    expect(parser.snapshot()).toEqual([12]);
    parser.write("3,tr");
    expect(parser.snapshot()).toEqual([123]);
    parser.write("ue,n");
    expect(parser.snapshot()).toEqual([123, true]);
    expect(calls.filter((call) => /^(?:begin|text)/.test(call))).toEqual([
      `begin ${Kind.NUMBER | Kind.STRING | Kind.NULL} /0`,
      `begin ${Kind.TRUE | Kind.FALSE | Kind.STRING} /1`,
      `begin ${Kind.NULL | Kind.STRING} /2`,
    ]);
  });

  test("when the parser stops: with the guard's error, and without the current value", () => {
    const error = new Error("no two");
    const { guard } = recorder({
      leaf: (value) => {
        if (value === 2) throw error;
        return false;
      },
    });
    const parser = new JsonParser({ guard });
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
