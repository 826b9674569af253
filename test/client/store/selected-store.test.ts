import { from, type JsonPatch, type JsonValue } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import { createPatchStore, type PatchStore } from "millrace/client";
import { SelectedPlaces } from "#src/client/store/selected-places.js";
import { isContainer, valueAt } from "#src/json/value.js";
import { childPointer, parsePointer } from "#src/tree/pointer.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { document, patchesOf } from "../support.js";

/** A store that shows its patches when the test says so. */
function frames<T = unknown>() {
  let show = (): void => undefined;
  const store = createPatchStore<T>({ schedule: (it) => void (show = it) });
  return {
    store,
    shown: (...patches: (readonly AnyPatchOperation[])[]): void => {
      for (const patch of patches) store.apply(patch);
      show();
    },
  };
}

/** The values that a part notifies of, from now on. */
function notifiedOf(store: PatchStore<unknown>, pointer: string): unknown[] {
  const seen: unknown[] = [];
  store.select(pointer).subscribe(({ value }) => seen.push(value));
  seen.length = 0;
  return seen;
}

const set = (value: JsonValue): JsonPatch => [{ op: "replace", path: "", value }];

describe("a selected store", () => {
  test("has its value, also before it appears and after it is gone, and notifies of nothing else", () => {
    const { store, shown } = frames<{ title: string; steps: string[] }>();
    const title = store.select("/title");
    const seen: unknown[] = [];
    const unsubscribe = title.subscribe(({ value, isComplete }) => seen.push([value, isComplete]));
    shown(set({ steps: [] }));
    shown([{ op: "add", path: "/title", value: "Te" }]);
    shown([{ op: "append", path: "/title", value: "a" }]);
    shown([{ op: "add", path: "/steps/0", value: "Boil" }]);
    shown([{ op: "add", path: "/steps/1", value: "Pour" }]);
    shown([{ op: "remove", path: "/title" }]);
    expect(seen).toEqual([
      [undefined, false],
      ["Te", false],
      ["Tea", false],
      ["Tea", true],
      [undefined, false],
    ]);
    unsubscribe();
    unsubscribe();
    shown([{ op: "add", path: "/title", value: "Soup" }]);
    expect([seen.length, title.getSnapshot(), title.getInitialState()]).toEqual([
      5,
      "Soup",
      { value: undefined, isComplete: false },
    ]);
  });

  test("stays the same while it is subscribed, and its state until it changes", () => {
    const { store, shown } = frames();
    const part = store.select("/a~1b");
    part.subscribe(() => undefined);
    shown(set({ "a/b": { c: 1 }, d: 1 }));
    const state = part.getState();
    shown([{ op: "replace", path: "/d", value: 2 }]);
    expect(store.select("/a~1b")).toBe(part);
    expect(part.getState()).toBe(state);
    const noPointer: string = "a";
    expect(() => store.select(noPointer)).toThrow(TypeError);
  });

  test("follows elements that an insertion, a removal or a move puts at its index", () => {
    const { store, shown } = frames();
    shown(set({ list: ["a", "b", { c: "c" }], other: [] }));
    const [first, last, inner] = ["/list/0", "/list/2", "/list/2/c"].map((it) => notifiedOf(store, it));
    shown([{ op: "add", path: "/list/0", value: "new" }]);
    shown([{ op: "remove", path: "/list/1" }]);
    shown([{ op: "move", from: "/list/0", path: "/other/-" }]);
    shown([{ op: "add", path: "/list/-", value: "end" }]);
    shown([{ op: "copy", from: "/list/1", path: "/list/0" }]);
    expect([first, last, inner]).toEqual([
      ["new", "b", { c: "c" }],
      ["b", { c: "c" }, undefined, "end", { c: "c" }],
      [undefined, "c", undefined, "c"],
    ]);
  });

  test("notices a change that came before it was subscribed and is shown after", () => {
    const { store, shown } = frames();
    shown(set({ a: 1, b: 1 }));
    store.apply([{ op: "replace", path: "/a", value: 2 }]);
    const seen = notifiedOf(store, "/a");
    shown([{ op: "replace", path: "/b", value: 2 }]);
    expect(seen).toEqual([2]);
  });

  test("loses its value when the store is reset, or a response is taken back", async () => {
    const { store, shown } = frames();
    shown(set({ a: { b: 1 } }));
    const seen = notifiedOf(store, "/a/b");
    shown(set(null));
    shown(set({ a: { b: 2 } }));
    store.reset();
    shown(set({ a: { b: 3 } }));
    await store.connect(from([set({ a: { b: 3 } })]), { keepValue: true });
    expect(seen).toEqual([undefined, 2, undefined, 3]);
    await store.connect(from([set({ a: { b: 4 } })]));
    expect(seen).toEqual([undefined, 2, undefined, 3, undefined, 4]);
  });

  test("keeps what it has shown when a patch does not fit", () => {
    const { store, shown } = frames();
    shown(set({ a: 1, b: 1 }));
    const seen = notifiedOf(store, "/a");
    const bad: AnyPatchOperation[] = [
      { op: "replace", path: "/a", value: 2 },
      { op: "remove", path: "/none" },
    ];
    expect(() => store.apply(bad)).toThrow();
    expect([seen, store.select("/a").getSnapshot()]).toEqual([[], 1]);
  });

  test("agrees with its store at any time, also while subscribers are notified", () => {
    const { store, shown } = frames();
    const part = store.select("/a");
    const seen: unknown[] = [];
    store.subscribe(() => seen.push(part.getSnapshot()));
    part.subscribe(({ value }) => seen.push([value, valueAt(store.getSnapshot() as JsonValue, ["a"])]));
    shown(set({ a: 1 }));
    expect(seen).toEqual([undefined, [undefined, undefined], 1, [1, 1]]);
  });

  test("has the value and completeness of its place, and notifies exactly when one changes, for any patches", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.array(fc.array(edit, { maxLength: 4 })), (text, edits) => {
        const { store, shown } = frames();
        let value = JSON.parse(text) as JsonValue;
        const keys = ["", "/a", "/0", "/1", "/2", "/0/0", "/0/1", "/1/0", "/0/a", "/a/0", "/a/a", "/none"];
        const watched = [...new Set([...placesIn(value), ...keys])].map((pointer) => {
          const part = store.select(pointer);
          const seen: unknown[] = [];
          part.subscribe((state) => seen.push(state));
          return { pointer, part, seen, last: part.getState() };
        });
        const patches: (readonly AnyPatchOperation[])[] = [set(value)];
        for (const frame of edits) {
          const operations = frame.map((one) => {
            const operation = operationOf(value, one);
            value = applyPatch(value, [operation]);
            return operation;
          });
          patches.push(operations);
        }
        for (const patch of patches) {
          for (const place of watched) place.seen.length = 0;
          shown(patch);
          for (const place of watched) {
            const { pointer, part, seen, last } = place;
            const now = part.getState();
            expect(now.value).toBe(valueAt(store.getSnapshot() as JsonValue, parsePointer(pointer)));
            expect(now.isComplete).toBe(store.isComplete(pointer));
            const isSame = now.value === last.value && now.isComplete === last.isComplete;
            expect(seen).toEqual(isSame ? [] : [now]);
            place.last = now;
          }
        }
        expect(store.getSnapshot()).toEqual(value);
      }),
      { numRuns: 50 },
    );
  });

  test("costs what a patch touches, not what is selected", () => {
    const places = new SelectedPlaces<unknown>();
    const items = Array.from({ length: 2_000 }, (_, i) => ({ title: `${i}`, text: "" }));
    const before: JsonValue = { items, byKey: Object.fromEntries(items.map((item, i) => [`k${i}`, item])) };
    const reads = (operation: AnyPatchOperation): number => {
      places.note(operation);
      const ends = [
        { pointer: operation.path, within: false },
        { pointer: "/items/3/text", within: false },
      ];
      const changed = places.takeChanged(before, applyPatch(before, [operation]), ends);
      return [...changed].flatMap(({ watchers }) => [...watchers]).length;
    };
    for (let i = 0; i < 2_000; i++)
      for (const at of [
        `items/${i}`,
        `items/${i}/title`,
        `items/${i}/text`,
        `byKey/k${i}`,
        `byKey/k${i}/text`,
      ])
        places.watch(at.split("/"), undefined, () => undefined);
    places.takeChanged(undefined, before, []);
    const near = reads({ op: "append", path: "/items/7/text", value: "x" });
    expect(near).toBe(4); // the element and its text, and those of the open end
    expect(reads({ op: "add", path: "/items/2000", value: { title: "", text: "" } })).toBe(2);
    expect(reads({ op: "replace", path: "/byKey/k9", value: { title: "", text: "y" } })).toBe(4);
    expect(reads({ op: "add", path: "/byKey/new", value: 1 })).toBe(2);
    expect(reads({ op: "remove", path: "/items/1999" })).toBeLessThan(8);
  });

  test("reads of an array only the elements that an operation has moved", () => {
    const places = new SelectedPlaces<unknown>();
    const items = Array.from({ length: 2_000 }, (_, i) => i);
    for (const i of items) places.watch(["items", `${i}`], undefined, () => undefined);
    places.takeChanged(undefined, { items }, []);
    const reads = (operation: AnyPatchOperation): number => {
      let count = 0;
      const { items: after } = applyPatch({ items }, [operation]) as { items: JsonValue[] };
      const counting = new Proxy(after, {
        get: (array, key) => (count++, Reflect.get(array, key) as unknown),
      });
      places.note(operation);
      places.takeChanged({ items }, { items: counting }, []);
      return count;
    };
    expect(reads({ op: "add", path: "/items/2000", value: 1 })).toBeLessThan(10);
    expect(reads({ op: "add", path: "/items/-", value: 1 })).toBeLessThan(10);
    expect(reads({ op: "remove", path: "/items/1990" })).toBeLessThan(20);
    expect(reads({ op: "add", path: "/items/0", value: 1 })).toBeGreaterThan(2_000);
  });

  test("is notified of an element at the end once, also while more of the array is open", () => {
    const { store, shown } = frames();
    shown(set({ list: ["a"] }));
    shown([{ op: "add", path: "/list/-", value: "b" }]);
    const parts = ["/list/0", "/list/1", "/list/2"].map((pointer) => notifiedOf(store, pointer));
    shown([{ op: "add", path: "/list/-", value: "c" }]);
    shown([{ op: "remove", path: "/list/1" }], [{ op: "add", path: "/list/-", value: "d" }]);
    expect(parts).toEqual([[], ["c"], ["c", "d"]]);
  });

  test("is notified when a second connection clears the value that the first one has kept", async () => {
    const { store, shown } = frames();
    shown([{ op: "replace", path: "", value: [1] }], [{ op: "add", path: "/-", value: 2 }]);
    const silent: AsyncIterable<JsonPatch> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
    };
    const seen = notifiedOf(store, "/0");
    void store.connect(silent, { keepValue: true });
    void store.connect(silent);
    await Promise.resolve();
    expect(seen).toEqual([undefined]);
  });

  test("leaves nothing behind when it is no longer subscribed", () => {
    const places = new SelectedPlaces<unknown>();
    const end = places.watch(["a", "b"], "part", () => undefined);
    const other = places.watch(["a"], "other", () => undefined);
    end();
    expect([places.at(["a"]).children.size, places.at(["a"]).part]).toEqual([0, "other"]);
    other();
    expect(places.at([]).children.size).toBe(0);
  });
});

describe("onComplete()", () => {
  test("calls once, when something follows the value or the stream ends, and never with less", async () => {
    const text = JSON.stringify(document);
    const pointers = placesIn(document);
    for (const size of [1, 3, 7, 200]) {
      const { store, shown } = frames();
      const calls: [string, unknown][] = [];
      for (const pointer of pointers) store.onComplete(pointer, (value) => calls.push([pointer, value]));
      for (const patch of patchesOf(text, size)) shown(patch);
      const early = calls.length;
      expect(early).toBeGreaterThan(0);
      await store.connect(from(patchesOf(text, 9)));
      expect(calls.toSorted()).toEqual(
        pointers
          .map((pointer) => [pointer, valueAt(document as unknown as JsonValue, parsePointer(pointer))])
          .toSorted(),
      );
    }
  });

  test("calls at once if the value is complete, and not after it was left", () => {
    const { store, shown } = frames<{ a: string; b: string }>();
    shown(set({ a: "x", b: "y" }));
    const calls: string[] = [];
    store.onComplete("/a", (value) => calls.push(value));
    const leave = store.onComplete("/b", (value) => calls.push(value));
    leave();
    shown([{ op: "add", path: "/c", value: 1 }]);
    expect(calls).toEqual(["x"]);
  });
});

/** The pointers of all values. */
function placesIn(value: JsonValue, pointer = ""): string[] {
  const inner = isContainer(value) ? Object.entries(value) : [];
  return [pointer, ...inner.flatMap(([key, child]) => placesIn(child, childPointer(pointer, key)))];
}

/** An operation, as numbers that choose among what the value has. */
const edit = fc.record({
  op: fc.constantFrom("add", "insert", "push", "replace", "append", "remove", "move", "copy", "root"),
  at: fc.nat(),
  from: fc.nat(),
  value: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>,
});

function operationOf(
  root: JsonValue,
  { op, at, from: origin, value }: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never,
): AnyPatchOperation {
  const places = placesIn(root);
  const choose = (pointers: readonly string[], index: number): string | undefined =>
    pointers[index % pointers.length];
  const here = (pointer: string): JsonValue | undefined => valueAt(root, parsePointer(pointer));
  const array = choose(
    places.filter((it) => Array.isArray(here(it))),
    at,
  );
  const inner = choose(places.slice(1), at);
  const text = choose(
    places.filter((it) => typeof here(it) === "string"),
    at,
  );
  if (op === "push" && array !== undefined) return { op: "add", path: `${array}/-`, value };
  if (op === "insert" && array !== undefined) {
    const length = (here(array) as JsonValue[]).length;
    return { op: "add", path: `${array}/${origin % (length + 1)}`, value };
  }
  if (op === "append" && text !== undefined) return { op, path: text, value: "x" };
  if (op === "replace" && inner !== undefined) return { op, path: inner, value };
  if (op === "remove" && inner !== undefined) return { op, path: inner };
  if (op === "copy" && array !== undefined)
    return { op, from: choose(places, origin) as string, path: `${array}/-` };
  if (op === "move" && inner !== undefined) {
    // To a place that is not inside it, and is still there without it.
    const key = at % 2 === 0 ? "a" : "0";
    if (isContainer(root) && !Array.isArray(root)) return { op, from: inner, path: `/${key}` };
    if (Array.isArray(root)) return { op, from: inner, path: "/-" };
  }
  const object = choose(
    places.filter((it) => isContainer(here(it)) && !Array.isArray(here(it))),
    at,
  );
  if (object !== undefined && op === "add") return { op, path: childPointer(object, "a"), value };
  return { op: "replace", path: "", value };
}
