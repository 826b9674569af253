import { afterEach, beforeEach, expect, test } from "vitest";
import { Extractors } from "#src/cli/extract/tasks/extractors.js";
import type { TaskCall } from "#src/cli/extract/tasks/task.js";
import { events, eventStream, type ModelServer, serve } from "../../../../scripts/model-server.js";

let server: ModelServer;
let answer: string;
beforeEach(async () => {
  answer = '{"n": 1}';
  server = await serve((response) => void eventStream(response).end(events([answer])));
});
afterEach(() => server.stop());

const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
const call = (system: string, requestsPerMinute?: number): TaskCall => ({
  ...{ model: "openai:gpt-5-mini", baseURL: server.baseURL, schema, system },
  ...{ requestsPerMinute, tokensPerMinute: undefined },
});

test("an outcome has the coercions of its object", async () => {
  answer = '{"n": "1"}';
  const extractors = new Extractors({ OPENAI_API_KEY: "k" }, new AbortController().signal, () => undefined);
  expect(await extractors.run(call("run"), "x")).toMatchObject({
    ...{ object: { n: 1 }, coercions: [{ pointer: "/n", kind: "number", from: "1", to: 1 }] },
  });
});

test("the run that was used the longest ago is forgotten, so a run in use keeps its limit", async () => {
  const stop = new AbortController();
  const extractors = new Extractors({ OPENAI_API_KEY: "k" }, stop.signal, () => undefined);
  const slow = (): Promise<unknown> => extractors.run(call("slow", 0.001), "x").catch(() => undefined);
  await slow();
  for (let number = 1; number < 16; number++) await extractors.run(call(`run ${number}`), "x");
  const waiting = [slow()];
  await extractors.run(call("run 16"), "x");
  waiting.push(slow());
  await extractors.run(call("run 17"), "x");
  expect(server.requests).toHaveLength(18);
  stop.abort();
  await Promise.all(waiting);
});
