import { from, pipe } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { toEventStream } from "millrace/serve";
import { toA2ui, toAssistantTransport, toSpecStream } from "millrace/ui";
import { describe, expect, test } from "vitest";

type Patches = readonly (readonly AnyPatchOperation[])[];

/** What a client is sent, and the errors that end it. */
const clients: Readonly<
  Record<string, (patches: Patches) => Promise<readonly [text: string, errors: unknown[]]>>
> = {
  "json-render": (patches) => written(pipe(from(patches), toSpecStream())),
  A2UI: (patches) => written(pipe(from(patches), toA2ui({ surfaceId: "s" }))),
  "A2UI with surfaces": (patches) => written(pipe(from(patches), toA2ui())),
  "assistant-ui": async (patches) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): undefined => void errors.push(error);
    return [await toAssistantTransport(from(patches), { onError }).text(), errors];
  },
  "RFC 6902": async (patches) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): undefined => void errors.push(error);
    return [
      await toEventStream(from(patches), { format: "json-patch", onError }).text().catch(String),
      errors,
    ];
  },
};

async function written(items: AsyncIterable<unknown>): Promise<readonly [string, unknown[]]> {
  const texts: string[] = [];
  try {
    for await (const item of items) texts.push(JSON.stringify(item));
  } catch (error) {
    return [texts.join(""), [error]];
  }
  return [texts.join(""), []];
}

const root = { dataModel: { a: [] }, components: {} };
const maxWork: unknown = expect.objectContaining({ code: "max_work" });

// G-json-1
describe("a client is sent what the patches pay for:", () => {
  test.each(Object.entries(clients))("copies that double a value end the stream of %s", async (_, send) => {
    const patches: AnyPatchOperation[][] = [[{ op: "replace", path: "", value: { s: root } }]];
    for (let i = 0; i < 40; i++)
      patches.push([{ op: "copy", from: "/s/dataModel", path: "/s/dataModel/a/-" }]);
    const [text, errors] = await send(patches);
    expect(errors).toEqual([maxWork]);
    expect(text.length).toBeLessThan(262_144 + 128 * JSON.stringify(patches).length);
  });

  test("a list that is sent again for each element before others ends the stream", async () => {
    const patches: AnyPatchOperation[][] = [[{ op: "replace", path: "", value: { a: [] } }]];
    for (let i = 0; i < 5_000; i++) patches.push([{ op: "add", path: "/a/0", value: "element" }]);
    for (const name of ["A2UI", "assistant-ui"]) {
      const [text, errors] = (await clients[name]?.(patches)) as [string, unknown[]];
      expect(errors).toEqual([maxWork]);
      expect(text.length).toBeLessThan(3 * (262_144 + 128 * JSON.stringify(patches).length));
    }
    // 200 of them are sent.
    expect((await clients["A2UI"]?.(patches.slice(0, 200)))?.[1]).toEqual([]);
  });
});
