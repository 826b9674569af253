import { createAgent, ModelError, tool } from "millrace";
import { logging, type LoggingOptions, toolCallLimit } from "millrace/agent";
import { manualClock, scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../support/script.js";

type Lines = string[];

function linesOf(options: Omit<LoggingOptions, "log"> = {}): {
  lines: Lines;
  log: ReturnType<typeof logging>;
} {
  const lines: Lines = [];
  const clock = manualClock();
  return {
    lines,
    log: logging({ clock, ...options, log: (line, level) => lines.push(`${level}: ${line}`) }),
  };
}

const usage = { inputTokens: 12, outputTokens: 3 };
const script = [
  [...call("1", "weather", '{"input": "Oslo"}'), ...call("2", "broken", '{"input": "x"}')],
  ["It is", " cold.", { content: [], usage }],
];

function agentWith(log: ReturnType<typeof logging>): ReturnType<typeof createAgent> {
  const weather = tool({
    name: "weather",
    async *run() {
      yield "looking";
      return "-4 °C";
    },
  });
  const broken = tool({
    name: "broken",
    run: () => {
      throw new TypeError("secret of the server");
    },
  });
  return createAgent({ name: "clerk", model: answers(script), tools: [weather, broken], middleware: [log] });
}

// G-agent-12
test("a run in lines, without anything that was said", async () => {
  const { lines, log } = linesOf();
  await agentWith(log).invoke("My secret question");
  // What tools and the model do at once has no order.
  const atOnce = lines.splice(2, 5);
  expect(atOnce.toSorted()).toEqual([
    "info: clerk#1 step 1: scripted:scripted ended after 0 ms",
    "info: clerk#1 tool broken (2) begins",
    "info: clerk#1 tool weather (1) begins",
    "info: clerk#1 tool weather (1) ended after 0 ms",
    "warn: clerk#1 tool broken (2) failed after 0 ms: TypeError",
  ]);
  expect(lines).toEqual([
    "info: clerk#1 run begins",
    "info: clerk#1 step 1: asks scripted:scripted (messages: 1, tools: 2)",
    "info: clerk#1 step 2: asks scripted:scripted (messages: 4, tools: 2)",
    "info: clerk#1 step 2: scripted:scripted ended after 0 ms",
    "info: clerk#1 run ended after 0 ms: answer, steps: 2, tokens: 12 in, 3 out",
  ]);
});

test("what was said is there if it is asked for, in one line each", async () => {
  const { lines, log } = linesOf({ content: true });
  await agentWith(log).invoke("Go.");
  expect(lines).toEqual(
    expect.arrayContaining([
      'info: clerk#1 tool weather (1) begins {"input":"Oslo"}',
      'info: clerk#1 tool weather (1) ended after 0 ms "-4 °C"',
      'warn: clerk#1 tool broken (2) failed after 0 ms: TypeError "secret of the server"',
      'info: clerk#1 run ended after 0 ms: answer, steps: 2, tokens: 12 in, 3 out "It is cold."',
    ]),
  );
});

test("the level says how much, from the least", async () => {
  const least = async (level: "debug" | "warn" | "error"): Promise<Lines> => {
    const { lines, log } = linesOf({ level });
    await agentWith(log).invoke("Go.");
    return lines;
  };
  expect(await least("debug")).toEqual(
    expect.arrayContaining([
      "debug: clerk#1 step 2: first chunk after 0 ms",
      "debug: clerk#1 tool weather (1) shows progress",
    ]),
  );
  expect(await least("warn")).toEqual(["warn: clerk#1 tool broken (2) failed after 0 ms: TypeError"]);
  expect(await least("error")).toEqual([]);
});

test("times are those of the clock", async () => {
  const clock = manualClock();
  const { lines, log } = linesOf({ clock, level: "debug" });
  const model = scriptedModel(async function* () {
    clock.advance(30);
    yield "Hel";
    clock.advance(5);
    yield "lo";
  });
  await createAgent({ model, middleware: [log] }).invoke("Hi");
  expect(lines.map((line) => line.replace(/^\w+: agent#1 /, ""))).toEqual([
    "run begins",
    "step 1: asks scripted:scripted (messages: 1, tools: 0)",
    "step 1: first chunk after 30 ms",
    "step 1: scripted:scripted ended after 35 ms",
    "run ended after 35 ms: answer, steps: 1",
  ]);
});

test("an error that ends the run is told by what it is, and by what it says only if asked for", async () => {
  const error = new ModelError("http", "The prompt 'my secret' is too long.", { status: 400 });
  const model = scriptedModel(() => {
    throw error;
  });
  const quiet = linesOf({ level: "warn" });
  await expect(createAgent({ model, middleware: [quiet.log] }).invoke("Hi")).rejects.toBe(error);
  expect(quiet.lines).toEqual([
    "warn: agent#1 step 1: scripted:scripted failed after 0 ms: ModelError 400",
    "error: agent#1 run failed after 0 ms: ModelError 400",
  ]);
  const open = linesOf({ level: "error", content: true });
  await expect(createAgent({ model, middleware: [open.log] }).invoke("Hi")).rejects.toBe(error);
  expect(open.lines).toEqual([
    `error: agent#1 run failed after 0 ms: ModelError 400 "The prompt 'my secret' is too long."`,
  ]);
});

test("a structured response that is wrong, and the right one", async () => {
  const { lines, log } = linesOf({ content: true });
  const agent = createAgent({
    model: answers([['{"n": "x"}'], ['{"n": 2}']]),
    responseFormat: z.object({ n: z.number() }).meta({ title: "Count" }),
    middleware: [log],
  });
  await agent.invoke("How many?");
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^warn: agent#1 structured response is wrong, retry 1: AgentError invalid_response "/,
      ),
      // The guard has stopped it.
      "info: agent#1 step 1: scripted:scripted stopped after 0 ms",
      'info: agent#1 structured response "Count" {"n":2}',
    ]),
  );
});

test("a run that is left says so, and runs under way at once are told apart", async () => {
  const { lines, log } = linesOf();
  const agent = createAgent({ model: scriptedModel(["a", "b"]), middleware: [log] });
  for await (const event of agent.stream("Hi")) if (event.type === "text") break;
  for await (const event of agent.stream("Hi")) if (event.type === "step") break;
  expect(lines).toEqual([
    "info: agent#1 run begins",
    "info: agent#1 step 1: asks scripted:scripted (messages: 1, tools: 0)",
    "info: agent#1 step 1: scripted:scripted stopped after 0 ms",
    "info: agent#1 run left after 0 ms",
    "info: agent#2 run begins",
    "info: agent#2 run left after 0 ms",
  ]);
});

test("a call that another middleware refuses is a warning", async () => {
  const { lines, log } = linesOf({ level: "warn" });
  const agent = createAgent({
    model: answers([call("1", "weather", '{"input": "Oslo"}'), ["Done."]]),
    tools: [tool({ name: "weather", run: () => "" })],
    middleware: [log, toolCallLimit({ perRun: 0 })],
  });
  await agent.invoke("Go.");
  expect(lines).toEqual(["warn: agent#1 tool weather (1) failed after 0 ms: AgentError limit"]);
});
