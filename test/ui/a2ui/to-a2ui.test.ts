import { collect, from, last, pipe } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { fromA2ui, toA2ui } from "millrace/ui";
import { expect, test } from "vitest";
import { linesOf } from "../../parsers/patch-lines/support/read-lines.js";

/** The surfaces of a renderer after the messages for these patches. */
async function shown(patches: AsyncIterable<readonly AnyPatchOperation[]>): Promise<unknown> {
  const messages = await collect(pipe(patches, toA2ui({ version: "v1.0" })));
  return await last(pipe(from([linesOf(...messages)]), fromA2ui().final));
}

const text = { id: "root", component: "Text", text: "Tea" };
const content = { components: { root: text }, dataModel: { a: 1 } };

test("creates a surface again when its properties follow its content", async () => {
  const createSurface = {
    surfaceId: "s",
    components: [text],
    dataModel: { a: 1 },
    catalogId: "c",
    theme: { a: 1 },
  };
  for (const size of [1, 1_000]) {
    const line = linesOf({ version: "v1.0", createSurface });
    const chunks = line.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    expect(await shown(pipe(from(chunks), fromA2ui().patches))).toEqual({
      s: { ...content, catalogId: "c", theme: { a: 1 } },
    });
  }
});

test.each<[what: string, patch: readonly AnyPatchOperation[], surface: object]>([
  [
    "a property changes",
    [{ op: "replace", path: "/s/catalogId", value: "d" }],
    { ...content, catalogId: "d" },
  ],
  ["a property grows", [{ op: "append", path: "/s/catalogId", value: "d" }], { ...content, catalogId: "cd" }],
  [
    "all components are replaced",
    [{ op: "replace", path: "/s/components", value: {} }],
    { ...content, catalogId: "c", components: {} },
  ],
])("creates a surface again when %s", async (_what, patch, surface) => {
  const first: readonly AnyPatchOperation[] = [
    { op: "replace", path: "", value: { s: { ...content, catalogId: "c" } } },
  ];
  expect(await shown(from([first, patch]))).toEqual({ s: surface });
});

test("a surface that loses a part or its name by a move is deleted", async () => {
  const first: readonly AnyPatchOperation[] = [
    {
      ...{ op: "replace", path: "" },
      value: { s: { ...content, catalogId: "c", theme: 1 }, t: { ...content, catalogId: "d" } },
    },
  ];
  const moved = async (source: string, path: string): Promise<unknown> =>
    shown(from([first, [{ op: "move" as const, from: source, path }]]));
  const [s, t] = [
    { ...content, catalogId: "c" },
    { ...content, catalogId: "d" },
  ];
  expect(await moved("/s", "/u")).toEqual({ t, u: { ...s, theme: 1 } });
  expect(await moved("/s", "/t")).toEqual({ t: { ...s, theme: 1 } });
  expect(await moved("/s/theme", "/t/theme")).toEqual({ s, t: { ...t, theme: 1 } });
  expect(await moved("/s/theme", "/s/metadata")).toEqual({ s: { ...s, metadata: 1 }, t });
});
