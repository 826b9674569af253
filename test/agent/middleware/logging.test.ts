import { createAgent, ModelError, tool } from "millrace";
import {
  clientTool,
  humanApproval,
  logging,
  type LoggingOptions,
  type Middleware,
  toolCallLimit,
} from "millrace/agent";
import { manualClock, scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { countHeld } from "../../stream/support/garbage.js";
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
test("logs a run without its content", async () => {
  const { lines, log } = linesOf();
  await agentWith(log).invoke("My secret question");
  // The model and the tools run simultaneously, so their lines have no fixed order.
  const simultaneous = lines.splice(2, 5);
  expect(simultaneous.toSorted()).toEqual([
    "info: clerk#1 step 1: scripted:scripted ended after 0 ms",
    "info: clerk#1 tool broken (2) started",
    "info: clerk#1 tool weather (1) ended after 0 ms",
    "info: clerk#1 tool weather (1) started",
    "warn: clerk#1 tool broken (2) failed after 0 ms: TypeError",
  ]);
  expect(lines).toEqual([
    "info: clerk#1 run started",
    "info: clerk#1 step 1: calls scripted:scripted (messages: 1, tools: 2)",
    "info: clerk#1 step 2: calls scripted:scripted (messages: 4, tools: 2)",
    "info: clerk#1 step 2: scripted:scripted ended after 0 ms",
    "info: clerk#1 run ended after 0 ms: answer, steps: 2, tokens: 12 in, 3 out",
  ]);
});

test("with captureContent, appends the content to the line", async () => {
  const { lines, log } = linesOf({ captureContent: true });
  await agentWith(log).invoke("Go.");
  expect(lines).toEqual(
    expect.arrayContaining([
      'info: clerk#1 tool weather (1) started {"input":"Oslo"}',
      'info: clerk#1 tool weather (1) ended after 0 ms "-4 °C"',
      'warn: clerk#1 tool broken (2) failed after 0 ms: TypeError "secret of the server"',
      'info: clerk#1 run ended after 0 ms: answer, steps: 2, tokens: 12 in, 3 out "It is cold."',
    ]),
  );
});

test("keeps what a model writes as a name or an id on one short line", async () => {
  const { lines, log } = linesOf({ level: "warn" });
  const long = "y".repeat(200);
  const model = scriptedModel(({ index }) =>
    index === 0
      ? [...call("1\nagent#9", "x\nagent#9 run failed", "{}"), ...call(long, "a b", "{}")]
      : ["Done."],
  );
  const weather = tool({ name: "weather", run: () => "" });
  await createAgent({ model, tools: [weather], middleware: [log] }).invoke("Go.");
  expect(lines).toEqual([
    expect.stringMatching(/^warn: agent#1 tool "x\\nagent#9 run failed" \("1\\nagent#9"\) failed.*$/),
    expect.stringMatching(/^warn: agent#1 tool "a b" \("y{80}"…\) failed.*$/),
  ]);
});

test("level is the minimum level", async () => {
  const linesAt = async (level: "debug" | "warn" | "error"): Promise<Lines> => {
    const { lines, log } = linesOf({ level });
    await agentWith(log).invoke("Go.");
    return lines;
  };
  expect(await linesAt("debug")).toEqual(
    expect.arrayContaining([
      "debug: clerk#1 step 2: first chunk after 0 ms",
      "debug: clerk#1 tool weather (1) reported progress",
    ]),
  );
  expect(await linesAt("warn")).toEqual(["warn: clerk#1 tool broken (2) failed after 0 ms: TypeError"]);
  expect(await linesAt("error")).toEqual([]);
});

test("durations come from the clock", async () => {
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
    "run started",
    "step 1: calls scripted:scripted (messages: 1, tools: 0)",
    "step 1: first chunk after 30 ms",
    "step 1: scripted:scripted ended after 35 ms",
    "run ended after 35 ms: answer, steps: 1",
  ]);
});

test("logs the class and status of an error, and its message only with captureContent", async () => {
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
  const open = linesOf({ level: "error", captureContent: true });
  await expect(createAgent({ model, middleware: [open.log] }).invoke("Hi")).rejects.toBe(error);
  expect(open.lines).toEqual([
    `error: agent#1 run failed after 0 ms: ModelError 400 "The prompt 'my secret' is too long."`,
  ]);
});

test("logs an invalid and a valid structured response", async () => {
  const { lines, log } = linesOf({ captureContent: true });
  const agent = createAgent({
    model: answers([['{"n": "x"}'], ['{"n": 2}']]),
    responseFormat: z.object({ n: z.number() }).meta({ title: "Count" }),
    middleware: [log],
  });
  await agent.invoke("How many?");
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^warn: agent#1 structured response is invalid, retry 1: AgentError invalid_response "/,
      ),
      // Stopped by the guard.
      "info: agent#1 step 1: scripted:scripted stopped after 0 ms",
      'info: agent#1 structured response "Count" {"n":2}',
    ]),
  );
});

test("logs that a run was left, and numbers the runs", async () => {
  const { lines, log } = linesOf();
  const agent = createAgent({ model: scriptedModel(["a", "b"]), middleware: [log] });
  for await (const event of agent.stream("Hi")) if (event.type === "text") break;
  for await (const event of agent.stream("Hi")) if (event.type === "step") break;
  expect(lines).toEqual([
    "info: agent#1 run started",
    "info: agent#1 step 1: calls scripted:scripted (messages: 1, tools: 0)",
    "info: agent#1 step 1: scripted:scripted stopped after 0 ms",
    "info: agent#1 run left after 0 ms",
    "info: agent#2 run started",
    "info: agent#2 run left after 0 ms",
  ]);
});

test("logs a call that another middleware rejects as a warning", async () => {
  const { lines, log } = linesOf({ level: "warn" });
  const agent = createAgent({
    model: answers([call("1", "weather", '{"input": "Oslo"}'), ["Done."]]),
    tools: [tool({ name: "weather", run: () => "" })],
    middleware: [log, toolCallLimit({ maxPerRun: 0 })],
  });
  await agent.invoke("Go.");
  expect(lines).toEqual(["warn: agent#1 tool weather (1) failed after 0 ms: AgentError limit"]);
});

test("a run keeps its number if another middleware passes on a changed copy of it", async () => {
  const { lines, log } = linesOf();
  const changing: Middleware = { aroundRun: (run, next) => next({ ...run, context: "other" }) };
  const agent = createAgent({ name: "bot", model: answers([["Hi."]]), middleware: [log, changing] });
  await agent.invoke("Go.");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line).toContain("bot#1");
});

test.each(["debug", "info"] as const)("a log that fails ends the run with its error: %s", async (level) => {
  const failure = new Error("disk full");
  for (const fail of [
    () => Promise.reject(failure),
    (): never => {
      throw failure;
    },
  ]) {
    for (const last of [1, 2, 5, 8]) {
      let lines = 0;
      const log = logging({ level, log: () => (++lines === last ? fail() : undefined) });
      const error: unknown = await agentWith(log)
        .invoke("Hi")
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: "AgentError", code: "log_failed", cause: failure });
    }
  }
});

test("the run ends when its log has written its lines", async () => {
  const written: string[] = [];
  const log = logging({
    log: async (line) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      written.push(line);
    },
  });
  await agentWith(log).invoke("Hi");
  expect(written.at(-1)).toContain("run ended");
});

test("keeps nothing of the lines that are written", async () => {
  const written: WeakRef<object>[] = [];
  const log = async () => {
    const line = {};
    written.push(new WeakRef(line));
    return line;
  };
  let held: number | undefined;
  const busy = tool({
    name: "busy",
    async *run() {
      for (let part = 0; part < 20; part++) yield part;
      held = await countHeld(written.slice(0, 10));
      return "";
    },
  });
  const model = answers([call("1", "busy", '{"input": ""}'), ["Done."]]);
  await createAgent({ model, tools: [busy], middleware: [logging({ level: "debug", log })] }).invoke("Go.");
  expect(held).toBe(0);
});

test("says what a paused call waits for", async () => {
  const { lines, log } = linesOf({ level: "warn" });
  const pay = tool({ name: "pay", run: () => "paid" });
  const model = answers([[...call("1", "paint", '{"input": "red"}'), ...call("2", "pay", '{"input": "1"}')]]);
  const tools = [clientTool({ name: "paint" }), pay];
  await createAgent({
    name: "clerk",
    model,
    tools,
    middleware: [log, humanApproval({ tools: ["pay"] })],
  }).invoke("Go.");
  expect(lines.toSorted()).toEqual([
    "warn: clerk#1 tool paint (1) waits for the client",
    "warn: clerk#1 tool pay (2) waits for a decision",
  ]);
});
