import { collect, from, type JsonPatch, type JsonValue, pipe } from "millrace";
import { applyPatch, diff } from "millrace/json";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadPeer } from "../../support/peers.js";
import { blocks } from "../../support/pieces.js";
import { answeringAiSdk } from "../compare/streaming-models.js";

/** diff() turns the partial objects of other libraries into patches, however the model cuts its text. */

const { Output, streamText } = await loadPeer("ai");
const { JsonOutputParser } = await loadPeer("@langchain/core/output_parsers");

const recipe = {
  name: "Sencha",
  minutes: 10,
  hot: true,
  steps: [
    { text: 'Boil "soft" water.\n', amount: 1.25 },
    { text: "Pour.", amount: -3 },
  ],
  "a/b": { "m~n": null, tags: ["green", "煎茶 🍵"] },
};
const text = JSON.stringify(recipe, undefined, 1);

type Snapshots = (source: AsyncIterable<string>) => AsyncIterable<unknown>;

const libraries: Readonly<Record<string, Snapshots>> = {
  async *"the AI SDK, with a schema"(source) {
    const part = z.object({ text: z.string(), amount: z.number() });
    const schema = z.looseObject({ name: z.string(), minutes: z.int(), steps: z.array(part) });
    const options = { model: answeringAiSdk(source), prompt: "?", output: Output.object({ schema }) };
    yield* streamText(options).partialOutputStream;
  },
  async *"the AI SDK, without a schema"(source) {
    yield* streamText({ model: answeringAiSdk(source), prompt: "?", output: Output.json() })
      .partialOutputStream;
  },
  "LangChain's JsonOutputParser": (source) => new JsonOutputParser().transform(source, {}),
};

describe.each(Object.entries(libraries))("the snapshots of %s", (_library, read) => {
  test.each([1, 2, 7, 40, 1000])("are the result of their patches, in pieces of %i", async (size) => {
    const snapshots = await collect(read(from(blocks(text, size))));
    expect(snapshots.at(-1)).toEqual(recipe);
    expect(snapshots.length).toBeGreaterThan(size < 40 ? 5 : 0);

    // One at a time, so that an equal snapshot is seen to have no patch.
    let document: JsonValue = null;
    let seen: unknown;
    const source = async function* (): AsyncGenerator {
      for (const snapshot of snapshots) {
        if (seen !== undefined) expect(document).toEqual(JSON.parse(JSON.stringify(seen)));
        yield snapshot;
        seen = snapshot;
      }
    };
    for await (const patch of pipe(source(), diff())) {
      expect(patch.length).toBeGreaterThan(0);
      document = applyPatch(document, patch);
    }
    expect(document).toEqual(recipe);
  });

  test("are patched where they change, not replaced", async () => {
    const patches: JsonPatch[] = await collect(pipe(read(from(blocks(text, 3))), diff()));
    const whole = patches.filter((patch) => patch.some(({ path }) => path === ""));
    expect(whole).toEqual(patches.slice(0, 1));
  });
});

test("the patches of LangChain's diff mode lead to the same object as ours", async () => {
  const parser = (): Snapshots => (source) => new JsonOutputParser().transform(source, {});
  const theirs = await collect(new JsonOutputParser({ diff: true }).transform(from(blocks(text, 5)), {}));
  const ours = await collect(pipe(parser()(from(blocks(text, 5))), diff()));
  const apply = (patches: readonly unknown[]): JsonValue =>
    (patches as readonly JsonPatch[]).reduce<JsonValue>((value, patch) => applyPatch(value, patch), null);
  expect(apply(theirs)).toEqual(recipe);
  expect(apply(ours)).toEqual(recipe);
});
