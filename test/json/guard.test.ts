import { Allow } from "millrace/json";
import type { JsonGuard, JsonHandler, JsonListener, JsonReading } from "millrace/json";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import * as Kind from "#src/json/build/kind.js";
import { parserOf } from "../support/parser-of.js";

const events = ["open", "reveal", "close", "key", "begin", "show", "text", "leaf"] as const;

function call(handler: JsonHandler, event: (typeof events)[number], args: readonly unknown[]): void {
  (handler[event] as (...args: readonly unknown[]) => void).apply(handler, [...args]);
}

/** A handler that passes everything on, except for the events that the test handles. */
function passing(next: JsonListener, handled: Partial<JsonHandler>): JsonListener {
  return {
    ...(Object.fromEntries(
      events.map((event) => [
        event,
        (...args: unknown[]): void => {
          call(next, event, args);
        },
      ]),
    ) as unknown as JsonHandler),
    pointer: (inChild) => next.pointer(inChild),
    snapshot: () => next.snapshot(),
    container: () => next.container(),
    hasKeys: (count) => next.hasKeys(count),
    ...handled,
  };
}

const guarding =
  (handle: (next: JsonListener) => Partial<JsonHandler>): JsonGuard =>
  (next) =>
    passing(next, handle(next));

/** A guard that writes down each event with its place, and passes it on. */
function recorder(): { guard: JsonGuard; calls: string[] } {
  const calls: string[] = [];
  const guard = guarding((next) => {
    const record = (
      event: (typeof events)[number],
      isInside: boolean,
    ): [string, (...args: unknown[]) => void] => [
      event,
      (...args) => {
        if (!isInside) calls.push([event, ...args, next.pointer(true)].join(" "));
        call(next, event, args);
        if (isInside) calls.push([event, ...args, next.pointer(true)].join(" "));
      },
    ];
    return Object.fromEntries(events.map((event) => record(event, event === "key" || event === "close")));
  });
  return { guard, calls };
}

describe("a guard is told", () => {
  test("what is read, in the order of the text, with its place", () => {
    const { guard, calls } = recorder();
    const parser = parserOf({ guard });
    for (const chunk of ['{"a":[1,"x', "y", '","z"],"b"', ":nu", 'll,"c":{}}']) parser.write(chunk);
    expect(calls).toEqual([
      ...["open false ", "key a /a", "open true /a", "leaf 1 /a/0"],
      ...["text x false /a/1", "text y false /a/1", "text  true /a/1", "text z true /a/2"],
      ...["close /a", "key b /b", `begin ${Kind.NULL} /b`, "leaf  /b"],
      ...["key c /c", "open false /c", "close /c", "close "],
    ]);
    expect(parser.value).toEqual({ a: [1, "xy", "z"], b: null, c: {} });
  });

  test("each value of a chunk that is long enough for JSON.parse", () => {
    const { guard, calls } = recorder();
    const parser = parserOf({ guard });
    parser.write(JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id }))));
    expect(calls.filter((call) => call.startsWith("leaf")).length).toBe(1_000);
    expect(calls).toContain("leaf 999 /999/id");
  });

  test("all kinds that a word may still become, with repair", () => {
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

  test("the kind of a number or literal before allow shows it", () => {
    const { guard, calls } = recorder();
    const parser = parserOf({ guard, allow: Allow.ALL });
    for (const chunk of ["[12", "3,tr"]) parser.write(chunk);
    expect(calls.slice(1)).toEqual([
      ...[`begin ${Kind.NUMBER} /0`, "show 12 /0", "leaf 123 /0"],
      ...[`begin ${Kind.TRUE} /1`, "show true /1"],
    ]);
    expect(parser.snapshot()).toEqual([123, true]);
  });

  test("how the text is read", () => {
    const readings: (JsonReading | undefined)[] = [];
    const guard: JsonGuard = (next, reading) => {
      readings.push(reading);
      return next;
    };
    parserOf({ guard });
    parserOf({ guard, repair: "strings" });
    parserOf({ guard, repair: true, locale: "de" });
    parserOf({ guard, repair: true, coerce: false });
    expect(readings.map((it) => [it?.repairs, it?.coercing?.locale, it?.coercing !== undefined])).toEqual([
      [false, undefined, false],
      [false, undefined, false],
      [true, "de", true],
      [true, undefined, false],
    ]);
  });
});

describe("a guard determines", () => {
  test("which text is shown: it holds pieces, and passes them on together", () => {
    const guard = guarding((next) => {
      let held = "";
      return {
        text(piece, final) {
          held += piece;
          if (held.length < 3 && !final) return;
          next.text(held, final);
          held = "";
        },
      };
    });
    const parser = parserOf({ guard, append: true });
    parser.write('["ab');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [] }]);
    parser.write("c");
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/0", value: "abc" }]);
    parser.write('d"');
    expect(parser.takePatch()).toEqual([{ op: "append", path: "/0", value: "d" }]);
  });

  test("which container is hidden, and when it is shown", () => {
    const complete: string[] = [];
    const guard = guarding((next) => ({
      open(isArray) {
        next.open(isArray, !isArray);
      },
      leaf(value) {
        if (value === 2) next.reveal();
        next.leaf(value);
      },
    }));
    const parser = parserOf({ guard, onComplete: (pointer) => complete.push(pointer) });
    parser.write('[{"a":[1],');
    expect([parser.snapshot(), parser.isComplete("/0/a")]).toEqual([[], false]);
    // A part of a hidden container is reported when it is complete.
    expect(complete).toEqual(["/0/a/0", "/0/a"]);
    parser.write('"b":2,');
    expect(parser.snapshot()).toEqual([{ a: [1], b: 2 }]);
    parser.write('"c":3},{"a":1}');
    expect(parser.snapshot()).toEqual([{ a: [1], b: 2, c: 3 }, { a: 1 }]);
  });

  test("nothing about containers that are shown, or that allow hides", () => {
    const guard = guarding((next) => ({
      key(key) {
        next.reveal();
        next.key(key);
      },
      leaf(value) {
        next.reveal();
        next.leaf(value);
      },
    }));
    const parser = parserOf({ guard });
    parser.write('[{"a":1,"b":[2,{}]},');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [{ a: 1, b: [2, {}] }] }]);
    parser.write('[3],"x"]');
    expect(parser.takePatch()).toEqual([
      { op: "add", path: "/1", value: [3] },
      { op: "add", path: "/2", value: "x" },
    ]);
    const hiding = parserOf({ guard, allow: Allow.ARR });
    hiding.write('[{"a":1');
    expect(hiding.snapshot()).toEqual([]);
  });

  test("which members there are, their keys and their values", () => {
    const guard = guarding((next) => {
      let name = "";
      return {
        key(key) {
          name = key.toLowerCase();
        },
        open(isArray) {
          if (name !== "") next.key(name);
          name = "";
          next.open(isArray);
        },
        leaf(value) {
          if (value === null) return;
          if (name !== "") next.key(name);
          name = "";
          next.leaf(value === 1 ? [[1], { one: 1 }] : value);
        },
      };
    });
    const complete: string[] = [];
    const parser = parserOf({ guard, onComplete: (pointer) => complete.push(pointer) });
    parser.write('{"A":1,"B":null,"C":[2,null,3],"d":1}');
    expect(parser.snapshot()).toEqual({ a: [[1], { one: 1 }], c: [2, 3], d: [[1], { one: 1 }] });
    expect(complete).toEqual([
      ...["/a/0/0", "/a/0", "/a/1/one", "/a/1", "/a", "/c/0", "/c/1", "/c"],
      ...["/d/0/0", "/d/0", "/d/1/one", "/d/1", "/d", ""],
    ]);
  });

  test("which containers there are: values after the end of one may still go into it", () => {
    const guard = guarding((next) => {
      let depth = 0;
      return {
        open(isArray) {
          if (++depth < 3) next.open(isArray);
        },
        close() {
          if (--depth === 0) {
            next.close();
            next.close();
          }
        },
      };
    });
    const parser = parserOf({ guard });
    parser.write("[1,[2,[3]],");
    expect([parser.snapshot(), parser.isComplete("/1"), parser.isComplete("/1/0")]).toEqual([
      [1, [2, 3]],
      false,
      true,
    ]);
    parser.write("4,5");
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [1, [2, 3, 4]] }]);
    parser.write("]");
    expect(parser.takePatch()).toEqual([{ op: "add", path: "/1/3", value: 5 }]);
    expect([parser.complete, parser.isComplete("/1")]).toEqual([true, true]);
  });

  test("when the parser stops: with the guard's error, and without the current value", () => {
    const error = new Error("no two");
    const guard = guarding((next) => ({
      leaf(value) {
        if (value === 2) throw error;
        next.leaf(value);
      },
    }));
    for (const chunks of everyCut("[1,2,3]")) {
      const parser = parserOf({ guard });
      expect(() => {
        for (const chunk of chunks) parser.write(chunk);
      }).toThrow(error);
      expect([parser.value, parser.snapshot(), parser.takePatch()]).toEqual([
        [1],
        [1],
        [{ op: "replace", path: "", value: [1] }],
      ]);
      expect(() => {
        parser.write("4");
      }).toThrow(error);
    }
  });
});
