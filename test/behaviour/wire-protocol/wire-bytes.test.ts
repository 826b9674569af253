import { collect, jsonParser, type JsonPatch, pipe } from "millrace";
import { type ClientEvent, fromEventStream } from "millrace/client";
import { type EventStreamOptions, memoryLog, type StreamLog, toEventStream } from "millrace/serve";
import { type ManualClock, manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { turn } from "../../client/support.js";

const sentence =
  "The kettle sings before the water boils, and a patient cook waits until it is quiet again. " +
  "Pour slowly: green leaves turn bitter in water that is too hot, black ones stay pale in water that is not. ";

const documents = {
  recipe: {
    title: "Green tea for two",
    minutes: 7,
    ingredients: [
      { name: "water", amount: 500, unit: "ml" },
      { name: "green tea leaves", amount: 2, unit: "teaspoons" },
      { name: "honey", amount: 1, unit: "teaspoon" },
    ],
    steps: [
      "Bring the water to a boil, then let it cool for three minutes.",
      "Put the leaves into a warm pot and pour the water over them.",
      "Wait for two minutes, stir in the honey, and serve at once.",
    ],
    vegan: false,
  },
  prose: { title: "On tea", text: sentence.repeat(5) },
  records: {
    people: Array.from({ length: 12 }, (_, id) => ({
      id,
      name: `Ada Lovelace ${id}`,
      email: `ada.lovelace${id}@example.com`,
      age: 20 + id,
      active: id % 3 === 0,
    })),
  },
};

/** Pieces like the tokens of a model: a word with the space before it, or signs. */
const tokensOf = (document: unknown): string[] =>
  JSON.stringify(document).match(/ ?[A-Za-z]{1,8}|[0-9]{1,3}|[^A-Za-z0-9 ]{1,4}| /g) ?? [];

/** The patches of a model that writes a token every 4 ms. */
async function* patchesOf(tokens: readonly string[], clock: ManualClock): AsyncGenerator<JsonPatch> {
  async function* model(): AsyncGenerator<string> {
    for (const token of tokens) {
      yield token;
      clock.advance(4);
      await turn();
    }
  }
  yield* pipe(model(), jsonParser(undefined, { append: true }).patches);
}

const accept = "text/event-stream;compact=1";
const encoder = new TextEncoder();

/** Bytes of the response for each byte of the text of the model. */
async function ratioOf(document: unknown, options: EventStreamOptions): Promise<number> {
  const clock = manualClock();
  const tokens = tokensOf(document);
  const response = toEventStream(patchesOf(tokens, clock), { ...options, clock, heartbeat: 0 });
  return (await response.arrayBuffer()).byteLength / encoder.encode(tokens.join("")).length;
}

describe.each(Object.entries(documents))("%s", (name, document) => {
  test("costs at most 1.7 bytes for each of the text if each token is sent on its own", async () => {
    expect(await ratioOf(document, { accept, flush: "patch" })).toBeLessThan(1.7);
    expect(await ratioOf(document, {})).toBeGreaterThan(10); // as server-sent events
  });

  test("costs less with a token every 4 ms", async () => {
    expect(await ratioOf(document, { accept })).toBeLessThan(name === "prose" ? 1.25 : 1.5);
  });
});

describe("a run in a log", () => {
  const document = documents.recipe;
  const text = JSON.stringify(document);

  /** The body of a run in a log, and the log. */
  const produced = async (): Promise<{ readonly log: StreamLog; readonly body: string }> => {
    const clock = manualClock();
    const log = memoryLog({ createToken: () => "t" });
    const patches = patchesOf(tokensOf(document), clock);
    const body = await toEventStream(patches, { log, id: "1", accept, clock, heartbeat: 0 }).text();
    return { log, body };
  };
  const rest = (log: StreamLog, lastEventId?: string): Promise<string> =>
    toEventStream(undefined, { log, id: "1", accept, lastEventId, heartbeat: 0 }).text();
  /** An id, the operation that sets the whole value, and the end. */
  const frame = 150;

  test("costs a late reader the value once", async () => {
    const { log } = await produced();
    expect((await rest(log)).length).toBeLessThan(text.length + frame);
  });

  test("costs at most the value once more if it is cut after any event", async () => {
    const { log, body } = await produced();
    const ids = await idsOf(body);
    expect(ids.length).toBeGreaterThan(20);
    let costs = 0;
    for (const id of ids) costs = Math.max(costs, (await rest(log, id)).length);
    expect(costs).toBeLessThan(body.length + frame);
    // A cut in the middle sends what is left, and a whole operation at most.
    const middle = ids[Math.floor(ids.length / 2)];
    expect((await rest(log, middle)).length).toBeLessThan(0.7 * body.length + frame);
  });
});

/** The ids that a client counts. */
async function idsOf(body: string): Promise<string[]> {
  const ids: string[] = [];
  const response = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const onEvent = (event: ClientEvent): void => {
    if (event.type === "patch") ids.push(event.id);
  };
  await collect(fromEventStream(response, { onEvent }));
  return ids;
}
