import { events, eventStream, piece, serve } from "../../../scripts/model-server.js";
import { test } from "./support/program.js";

const program = "openai-sdk/main.ts";

test.concurrent("prints typed partial values of the SDK's stream, and the final value", async ({
  expect,
  start,
}) => {
  const { stdout, stderr, ended } = await start(program, ["Grace Hopper"]);
  expect(await ended).toBe(0);
  const lines = [...stdout.all];
  expect(lines.pop()).toBe("Grace Hopper was 46 at the time of the first of 2 works.");
  const partials = lines.map((line) => JSON.parse(line) as Partial<Record<string, unknown>>);
  expect(partials.at(-1)).toEqual({
    name: "Grace Hopper",
    born: 1906,
    field: "engineering",
    works: [
      { title: "The Education of a Computer", year: 1952 },
      { title: "Automatic Coding for Digital Computers", year: 1955 },
    ],
  });
  // Strings grow. Numbers and enum members appear only when they are complete.
  expect(new Set(partials.map(({ name }) => name)).size).toBeGreaterThan(1);
  expect(new Set(partials.map(({ born }) => born))).toEqual(new Set([undefined, 1906]));
  expect(new Set(partials.map(({ field }) => field))).toEqual(new Set([undefined, "engineering"]));
  expect(stderr.all.join("\n")).toMatch(
    /^Asking a stand-in for a model at http.*\n\d+ tokens were written\.$/,
  );
});

test.concurrent("uses the server, model and key of the environment", async ({ expect, start }) => {
  const answer =
    '{"name": "Ada", "born": 1815, "field": "mathematics", "works": [{"title": "Notes", "year": 1843}]}';
  const server = await serve((response) => {
    eventStream(response).end(events([answer.slice(0, 11), answer.slice(11)]));
  });
  const environment = { OPENAI_API_KEY: "a key", OPENAI_BASE_URL: server.baseURL };
  const { stdout, ended } = await start(program, ["--model", "mine"], environment);
  expect(await ended).toBe(0);
  await server.stop();
  expect(stdout.all).toEqual([
    '{"name":"A"}',
    '{"name":"Ada","born":1815,"field":"mathematics","works":[{"title":"Notes","year":1843}]}',
    "Ada was 28 at the time of the first of 1 works.",
  ]);
  expect(server.requests).toHaveLength(1);
  const { headers, body } = server.requests[0]!;
  expect(headers.authorization).toBe("Bearer a key");
  expect(body).toMatchObject({ model: "mine", stream: true, response_format: { type: "json_schema" } });
});

test.concurrent("stops the model at the first character that violates the schema", async ({
  expect,
  start,
}) => {
  const server = await serve((response) => {
    // The stream continues for as long as the client reads.
    eventStream(response).write(piece('{"name": "Ada", "born": "in 18'));
  });
  const { stdout, stderr, ended } = await start(program, ["--base-url", server.baseURL]);
  expect(await ended).toBe(1);
  await expect.poll(server.left).toBe(1);
  await server.stop();
  expect(stdout.all).toEqual(['{"name":"Ada"}']);
  expect(stderr.all.slice(1)).toEqual([expect.stringMatching(/integer.*\/born.*"i"/)]);
});
