import { Catalog } from "@a2ui/web_core/v0_9";
import { basicCatalog } from "@a2ui/web_core/v0_9/basic_catalog";
import fc from "fast-check";
import { collect, from, type JsonValue, last, type PatchLineError, patchLines, pipe } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import type { SchemaInput } from "millrace/schema";
import { everyCut, everyWay, fixedSizes, randomPartitions } from "millrace/testing";
import { type A2uiMessage, fromA2ui, toA2ui } from "millrace/ui";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../parsers/patch-lines/support/read-lines.js";
import { errorsOfV1, examples, examplesOfV1, openRenderer, Renderer } from "./a2ui-renderer.js";

/** The components and data of a value of `fromA2ui()`. */
function shown(value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(value) as Record<string, { components: object; dataModel: unknown }>).map(
      ([id, { components, dataModel }]) => [id, { components, dataModel }],
    ),
  );
}

function rendered(messages: readonly object[]): unknown {
  const renderer = openRenderer(messages);
  for (const message of messages) renderer.process(message);
  return renderer.surfaces;
}

/** The components of the basic catalogue, whose schemas are those of Zod 3. */
const basic = {
  components: Object.fromEntries(
    [...basicCatalog.components].map(([name, { schema }]) => [name, schema as unknown as SchemaInput]),
  ),
};

describe("fromA2ui()", () => {
  test("gives what the renderer has, for each example of the package, in lines, as a list and wrapped", async () => {
    expect(examples.length).toBeGreaterThan(45);
    for (const { name, messages } of examples) {
      const expected = rendered(messages);
      const texts = [
        linesOf(...messages),
        JSON.stringify(messages, undefined, 2),
        `Here:\n\`\`\`json\n${JSON.stringify({ messages }, undefined, 2)}\n\`\`\`\nDone.`,
      ];
      for (const text of texts) {
        const value = await last(pipe(from(text.match(/[^]{1,500}/g) ?? []), fromA2ui().final));
        expect(shown(value), name).toEqual(expected);
      }
    }
  });

  test("gives the same, however the text is cut", async () => {
    for (const [i, { messages }] of examples.slice(0, 12).entries()) {
      const expected = rendered(messages);
      const text = linesOf(...messages);
      for (const chunks of [...fixedSizes(text, [1, 7]), ...randomPartitions(text, { seed: i, count: 20 })]) {
        expect(shown(await last(pipe(from(chunks), fromA2ui().final)))).toEqual(expected);
      }
    }
  });

  test("allows every example of the basic catalogue with the components of that catalogue", async () => {
    for (const { name, messages } of examples.filter((it) => it.name.startsWith("basic/"))) {
      const errors: PatchLineError[] = [];
      const parser = fromA2ui({ catalogue: basic, onLineError: (error) => errors.push(error) });
      expect(shown(await last(pipe(from([linesOf(...messages)]), parser.final))), name).toEqual(
        rendered(messages),
      );
      expect(errors, name).toEqual([]);
    }
  });
});

describe("toA2ui()", () => {
  test("passes on what a model writes, so that the renderer gets valid messages and the same in the end", async () => {
    for (const { name, messages } of examples.filter((it) => it.name.startsWith("basic/"))) {
      const text = linesOf(...messages);
      const pieces = text.match(/[^]{1,60}/g) ?? [];
      for (const catalogue of [undefined, basic]) {
        const options = catalogue === undefined ? {} : { catalogue };
        const strict = new Renderer([basicCatalog]);
        const { patches } = fromA2ui({ ...options, append: true });
        for await (const message of pipe(from(pieces), patches, toA2ui(options))) strict.process(message);
        expect(strict.surfaces, name).toEqual(rendered(messages));
      }
    }
  });

  test("does so however the text of the model is cut", async () => {
    const { messages } = examples.find(({ name }) => name.endsWith("00_incremental.json")) ?? {
      messages: [],
    };
    const expected = rendered(messages);
    const text = linesOf(...messages);
    const tried = new Set<string>();
    for (const chunks of everyWay(text)) {
      const written = await collect(pipe(from(chunks), fromA2ui().patches, toA2ui()));
      const key = JSON.stringify(written);
      if (tried.has(key)) continue;
      tried.add(key);
      expect(rendered(written)).toEqual(expected);
    }
  });

  const model = linesOf(
    { op: "add", path: "/title", value: "Tea" },
    { op: "add", path: "/steps", value: ["Boil", "Wait"] },
    { op: "add", path: "/steps/-", value: { text: "Pour", of: null } },
    { op: "move", from: "/steps/0", path: "/steps/1" },
    { op: "remove", path: "/steps/0" },
    { op: "move", from: "/steps/1", path: "/last" },
    { op: "remove", path: "/title" },
    { op: "add", path: "/constructor", value: { prototype: 1, "": { a: 1 } } },
    { op: "replace", path: "/constructor/prototype", value: 2 },
    { op: "add", path: "/constructor//a", value: 3 },
    { op: "add", path: "/0", value: "a" },
  );

  test("gives the renderer our value after each patch, with the text cut at every character", async () => {
    const tried = new Set<string>();
    for (const chunks of [...everyCut(model), ...fixedSizes(model, [1, 7])]) {
      const patches = await collect(pipe(from(chunks), patchLines({ append: chunks.length > 2 }).patches));
      const key = JSON.stringify(patches);
      if (tried.has(key)) continue;
      tried.add(key);
      for (const path of [[], ["recipe", "now"]]) await follow(patches, path);
    }
  });

  /** Compares the renderer with our value after each patch. */
  async function follow(
    patches: readonly (readonly AnyPatchOperation[])[],
    path: readonly string[] = [],
  ): Promise<void> {
    const renderer = new Renderer([new Catalog("c", [])]);
    const components = [{ id: "root", component: "Text", text: { path: "/title" } }];
    const write = toA2ui({ surfaceId: "s", catalogId: "c", components, path });
    let value: JsonValue | undefined;
    let written = 0;
    const source = async function* (): AsyncGenerator<readonly AnyPatchOperation[]> {
      for (const patch of patches) {
        if (written > 0) compare();
        yield patch;
        value = applyPatch(value, patch);
        written++;
      }
    };
    const compare = (): void => {
      const data = path.reduce<unknown>(
        (at, key) => (at as Record<string, unknown>)[key],
        renderer.dataOf("s"),
      );
      expect(data).toEqual(value);
    };
    for await (const message of pipe(source(), write)) renderer.process(message);
    compare();
  }

  test("follows any patches", async () => {
    const key = fc.constantFrom("a", "b", "list", "0", "x/y", "", "constructor");
    const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constant<JsonValue>(null),
      fc.constant<JsonValue>(["p", "q"]),
      fc.constant<JsonValue>({ a: [1] }),
    );
    const step = fc.record({ key, other: key, leaf, kind: fc.nat(7), at: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, size) => {
          let value: JsonValue = { list: ["a", { b: "c" }, "d"] };
          const operations: AnyPatchOperation[] = [];
          for (const { key: name, other, leaf: it, kind, at } of steps) {
            const path = `/${name.replace("/", "~1")}`;
            const from = `/${other.replace("/", "~1")}`;
            const element = `/list/${at}`;
            const all: readonly AnyPatchOperation[] = [
              { op: "add", path, value: it },
              { op: "remove", path },
              { op: "move", from, path },
              { op: "copy", from, path: element },
              { op: "add", path: element, value: it },
              { op: "remove", path: element },
              { op: "move", from: element, path: `/list/${at >> 1}` },
              { op: "append", path, value: "+" },
            ];
            const operation = all[kind] as AnyPatchOperation;
            try {
              value = applyPatch(value, [operation]);
              operations.push(operation);
            } catch {
              // It does not fit.
            }
          }
          const patches: AnyPatchOperation[][] = [
            [{ op: "replace", path: "", value: { list: ["a", { b: "c" }, "d"] } }],
          ];
          for (let i = 0; i < operations.length; i += size) patches.push(operations.slice(i, i + size));
          await follow(patches);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("writes v1.0, where null removes, so that each state can be read again", async () => {
    const { patches } = patchLines();
    const all = await collect(pipe(from(model.match(/[^]{1,9}/g) ?? []), patches));
    const create = linesOf({ version: "v1.0", createSurface: { surfaceId: "s" } });
    let value: JsonValue | undefined;
    for (const [i, patch] of all.entries()) {
      value = applyPatch(value, patch);
      const messages: A2uiMessage[] = await collect(
        pipe(from(all.slice(0, i + 1)), toA2ui({ surfaceId: "s", version: "v1.0" })),
      );
      for (const message of messages) {
        expect(message.version).toBe("v1.0");
        if ("updateDataModel" in message) expect(message.updateDataModel).toHaveProperty("value");
      }
      const read = await last(pipe(from([create + linesOf(...messages)]), fromA2ui().final));
      expect(read?.["s"]?.dataModel).toEqual(value);
    }
  });

  test("writes messages that the published schema of v1.0 allows, for each of its examples", async () => {
    expect(examplesOfV1.length).toBeGreaterThan(35);
    for (const { name, messages } of examplesOfV1) {
      for (const message of messages) expect(errorsOfV1(message), name).toEqual([]);
      const text = linesOf(...messages);
      const value = await last(pipe(from([text]), fromA2ui().final));
      expect(shown(value), name).toEqual(statesOfV1(messages));
      for (const size of [7, 60, text.length]) {
        const [chunks = []] = fixedSizes(text, [size]);
        const written = await collect(pipe(from(chunks), fromA2ui().patches, toA2ui({ version: "v1.0" })));
        for (const message of written) expect(errorsOfV1(message), name).toEqual([]);
        expect(statesOfV1(written), name).toEqual(statesOfV1(messages));
      }
    }
  });
});

/** The surfaces after messages of v1.0, as its specification says: no renderer of v1.0 is published. */
function statesOfV1(messages: readonly object[]): unknown {
  const surfaces = new Map<string, { components: Record<string, unknown>; dataModel: unknown }>();
  for (const message of messages as readonly Readonly<Record<string, unknown>>[]) {
    const body = Object.values(message).find((member) => typeof member === "object") as V1Body;
    const { surfaceId = "", components = [], path = "/", value, dataModel } = body;
    if ("deleteSurface" in message) surfaces.delete(surfaceId);
    if ("createSurface" in message) surfaces.set(surfaceId, { components: {}, dataModel: dataModel ?? {} });
    const surface = surfaces.get(surfaceId);
    if (surface === undefined) continue;
    for (const component of components) surface.components[component.id] = component;
    if (!("updateDataModel" in message)) continue;
    const keys = path
      .split("/")
      .slice(1)
      .filter((key) => key !== "");
    const key = keys.pop();
    if (key === undefined) {
      surface.dataModel = value;
      continue;
    }
    let parent = surface.dataModel as Record<string, unknown>;
    for (const name of keys) parent = (parent[name] ??= {}) as Record<string, unknown>;
    if (value === null) Reflect.deleteProperty(parent, key);
    else parent[key] = value;
  }
  return Object.fromEntries(surfaces);
}

interface V1Body {
  readonly surfaceId?: string;
  readonly components?: readonly { readonly id: string }[];
  readonly path?: string;
  readonly value?: unknown;
  readonly dataModel?: unknown;
}
