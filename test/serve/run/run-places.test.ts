import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgent, type JsonPatch, streamObject } from "millrace";
import {
  boundedHandler,
  type HandledRun,
  keepResponse,
  type LogWriter,
  memoryLog,
  nodeHandler,
  RequestError,
  runHandler,
  type RunHandlerOptions,
  type StreamLog,
  toEventStream,
  toUiMessageStream,
} from "millrace/serve";
import { manualClock, type ScriptedModel, scriptedModel } from "millrace/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { rawClient, rawPost, statusesIn } from "../http/raw-client.js";
import { turn } from "../../client/support.js";

const schema = z.object({ title: z.string() });

interface WaitingModel {
  readonly model: ScriptedModel;
  /** Ends the answers that have begun, in the order of their calls. */
  readonly answers: ReadableStreamDefaultController<string>[];
}

/** A model whose answers end when the test ends them. */
function waitingModel(): WaitingModel {
  const answers: ReadableStreamDefaultController<string>[] = [];
  const model = scriptedModel(
    () =>
      new ReadableStream<string>({
        start: (controller) => {
          controller.enqueue('{"title": "Te');
          answers.push(controller);
        },
      }),
  );
  return { model, answers };
}

function finish(answer: ReadableStreamDefaultController<string> | undefined): void {
  answer?.enqueue('a"}');
  answer?.close();
}

const startWith =
  (model: ScriptedModel) =>
  (_input: unknown, run: HandledRun): Response =>
    streamObject({ model, schema, prompt: "" }).toResponse(run);

describe("over sockets", () => {
  async function serve(
    handle: (request: Request, info: IncomingMessage) => Response | PromiseLike<Response>,
  ): Promise<string> {
    const server = createServer(nodeHandler<IncomingMessage>(handle));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  /** Posts, waits for the answer unless it hangs up at once, and hangs up. */
  async function postAndHangUp(
    url: string,
    run: number | string,
    user = "ada",
    waits = true,
  ): Promise<number> {
    const head = rawPost("{}", { target: `/?run=${run}`, headers: `X-User: ${user}\r\n` });
    const client = await rawClient(url, head);
    const text = waits ? await client.until("\r\n\r\n") : "";
    client.socket.destroy();
    await client.closed;
    return statusesIn(text)[0] ?? 0;
  }
  const ofUser = {
    maxRunsPerClient: 3,
    clientId: (_request: Request, { headers }: IncomingMessage) => String(headers["x-user"]),
  };

  // G-wire-15
  test("a client that posts and hangs up 100 times has its maximum of runs, and gets places as they end", async () => {
    const { model, answers } = waitingModel();
    const log = memoryLog();
    const url = await serve(runHandler(startWith(model), { log, ...ofUser }));
    const statuses: number[] = [];
    for (let run = 0; run < 100; run++) statuses.push(await postAndHangUp(url, run));
    expect(model.calls).toHaveLength(3);
    expect(statuses).toEqual(Array.from({ length: 100 }, (_, run) => (run < 3 ? 200 : 429)));
    expect(await postAndHangUp(url, "b", "bob")).toBe(200);

    finish(answers[0]);
    expect((await fetch(`${url}?run=1`, { method: "DELETE" })).status).toBe(200);
    await expect.poll(() => log.status("0")).toBe("complete");
    const more = ["c", "d", "e", "f"];
    for (const [index, run] of more.entries())
      expect(await postAndHangUp(url, run)).toBe(index < 2 ? 200 : 429);
    expect(model.calls).toHaveLength(6);
  });

  test("a client that does not wait for the answer starts no more runs than its maximum", async () => {
    const { model } = waitingModel();
    const url = await serve(runHandler(startWith(model), { log: memoryLog(), ...ofUser, maxRuns: 2 }));
    for (let run = 0; run < 50; run++) await postAndHangUp(url, run, `user ${run}`, false);
    await expect.poll(() => model.calls.length).toBe(2);
    expect(await postAndHangUp(url, "last", "last")).toBe(429);
    expect(model.calls).toHaveLength(2);
  });

  test("a response that is kept in a log holds its place until it has ended", async () => {
    const { model, answers } = waitingModel();
    const log = memoryLog();
    const agent = createAgent({ model });
    let chats = 0;
    const handle = boundedHandler(
      () => keepResponse(toUiMessageStream(agent.stream("Hi")), { log, id: String(chats++) }),
      ofUser,
    );
    const url = await serve(handle);
    for (let i = 0; i < 20; i++) await postAndHangUp(url, i);
    expect([chats, model.calls.length]).toEqual([3, 3]);
    finish(answers[1]);
    await expect.poll(() => postAndHangUp(url, "again")).toBe(200);
    expect(await postAndHangUp(url, "again")).toBe(429);
  });
});

describe("a run of a handler with one place", () => {
  type Start = (input: unknown, run: HandledRun) => Response | Promise<Response>;
  let runs = 0;
  function handlerOf(
    start: Start,
    options: Partial<RunHandlerOptions> = {},
  ): (input?: unknown) => Promise<Response> {
    const handle = runHandler(start, {
      log: memoryLog(),
      maxRuns: 1,
      clock: manualClock(), // a response that nobody reads stays open
      ...options,
    });
    return (input = "tea") => {
      const headers = { "content-type": "application/json" };
      const url = `http://localhost/?run=${runs++}`;
      return handle(new Request(url, { method: "POST", headers, body: JSON.stringify(input) }));
    };
  }
  /** Asks twice at once, until one is accepted. So a place that is given back twice is seen too. */
  async function expectOnePlace(post: (input: unknown) => Promise<Response>): Promise<void> {
    const ask = async (): Promise<number[]> => {
      await turn();
      return (await Promise.all([post("hold"), post("hold")])).map(({ status }) => status).sort();
    };
    await expect.poll(ask).toEqual([200, 429]);
  }
  const held = (input: unknown, run: HandledRun): Response | undefined =>
    input === "hold" ? startWith(waitingModel().model)(input, run) : undefined;
  const complete = scriptedModel(['{"title": "Tea"}']);
  const failing = scriptedModel(() => {
    throw new Error("lost");
  });
  /** A log whose first writer fails in one of its methods. */
  function brokenLog(part: "create" | keyof Pick<LogWriter, "append" | "end">): StreamLog {
    const log = memoryLog();
    let broken = false;
    const fail = (): Promise<never> => Promise.reject(new Error("The log is away."));
    return {
      ...log,
      async create(id) {
        if (broken) return log.create(id);
        broken = true;
        return part === "create" ? fail() : { ...(await log.create(id)), [part]: fail };
      },
    };
  }
  const asyncFailure = async (_input: unknown, run: HandledRun): Promise<Response> => {
    startWith(complete)(_input, run);
    await turn();
    throw new RequestError("invalid_input", "No tea.");
  };

  const ends: readonly [name: string, start: Start, options?: Partial<RunHandlerOptions>][] = [
    ["completes", startWith(complete)],
    ["fails", startWith(failing)],
    [
      "fails, and so does onError",
      startWith(failing),
      {
        onError: () => {
          throw new Error("no logger");
        },
      },
    ],
    [
      "throws before it has begun",
      () => {
        throw new Error("no");
      },
    ],
    ["throws after it has begun", asyncFailure],
    ["has no body", () => new Response(null, { status: 204 })],
    ["does not return a response", () => undefined as unknown as Response],
    ["is refused by its log", startWith(complete), { log: brokenLog("create") }],
    ["cannot write to its log", startWith(complete), { log: brokenLog("append") }],
    ["cannot end its log", startWith(complete), { log: brokenLog("end") }],
    [
      "is stopped",
      (input, run) => {
        const response = startWith(waitingModel().model)(input, run);
        setTimeout(() => void run.log.stop(run.id));
        return response;
      },
    ],
    [
      "is removed from its log",
      (input, run) => {
        const response = startWith(waitingModel().model)(input, run);
        setTimeout(() => void run.log.expire(run.id));
        return response;
      },
    ],
    [
      "is continued by another writer",
      (input, run) => {
        const response = startWith(waitingModel().model)(input, run);
        setTimeout(() => void run.log.takeOver(run.id).then((writer) => writer.leave?.()));
        return response;
      },
    ],
  ];
  test.each(ends)(
    "gives its place back once when it %s, also if nobody reads its response",
    async (_, start, options) => {
      const post = handlerOf((input, run) => held(input, run) ?? start(input, run), options);
      await post();
      await expectOnePlace(post);
    },
  );

  test("keeps its place whatever becomes of its response", async () => {
    const { model, answers } = waitingModel();
    const start = startWith(model);
    const responses: ((input: unknown, run: HandledRun) => Response)[] = [
      start,
      (...args) => new Response(start(...args).body, { status: 201 }),
      (...args) => new Response(start(...args).body?.pipeThrough(new CompressionStream("gzip"))),
      (...args) => {
        start(...args);
        return new Response(null, { status: 202 });
      },
      (...args) => {
        start(...args);
        throw new RequestError("invalid_input", "No tea.");
      },
    ];
    for (const [index, respond] of responses.entries()) {
      const post = handlerOf((input, run) => held(input, run) ?? respond(input, run));
      const response = await post();
      await response.body?.cancel();
      await turn();
      expect((await post("hold")).status).toBe(429);
      finish(answers[index]);
      await expectOnePlace(post);
    }
  });

  test("keeps its place until all that it writes has ended", async () => {
    const [first, second] = [waitingModel(), waitingModel()];
    const post = handlerOf((input, run) => {
      const response = held(input, run);
      if (response !== undefined) return response;
      startWith(first.model)(input, { ...run, id: `${run.id}.report` });
      return startWith(second.model)(input, run);
    });
    await (await post()).body?.cancel();
    await turn();
    finish(second.answers[0]);
    for (let i = 0; i < 5; i++) {
      await turn();
      expect((await post("hold")).status).toBe(429);
    }
    finish(first.answers[0]);
    await expectOnePlace(post);
  });

  test("keeps its place while somebody else writes it", async () => {
    let writer: LogWriter | undefined;
    const post = handlerOf(async (input, run) => {
      const response = held(input, run);
      if (response !== undefined) return response;
      writer = await run.log.takeOver(run.id);
      return toEventStream(undefined, run);
    });
    await (await post()).body?.cancel();
    expect((await post("hold")).status).toBe(429);
    await writer?.end({ type: "done", reason: "complete" });
    await expectOnePlace(post);
  });

  test("needs no place to be read", async () => {
    const log = memoryLog();
    const handle = runHandler(startWith(waitingModel().model), { log, maxRuns: 1 });
    const headers = { "content-type": "application/json" };
    await handle(new Request("http://localhost/?run=a", { method: "POST", headers, body: "1" }));
    for (let i = 0; i < 3; i++) {
      const read = await handle(new Request("http://localhost/?run=a"));
      expect(read.status).toBe(200);
    }
  });
});

// G-wire-15
test("requests to read a run that starts have their places while they wait", async () => {
  let begin: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { model, answers } = waitingModel();
  const start = async (input: unknown, run: HandledRun): Promise<Response> => {
    await started;
    return startWith(model)(input, run);
  };
  const handle = runHandler(start, { log: memoryLog(), maxReaders: 3 });
  const url = "http://localhost/?run=a";
  const headers = { "content-type": "application/json" };
  const posted = handle(new Request(url, { method: "POST", headers, body: "1" }));
  const waiting = [1, 2].map(() => handle(new Request(url)));
  expect((await handle(new Request(url))).status).toBe(429);
  begin();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
  await posted;
  finish(answers[0]);
});

test("a response that only reads a run holds its place until its reader leaves", async () => {
  const log = memoryLog();
  await log.create("run");
  const handle = boundedHandler(() => toEventStream(undefined, { log, id: "run" }), { maxRuns: 1 });
  const post = (): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    return handle(new Request("http://localhost/", { method: "POST", headers, body: "1" }));
  };
  const first = await post();
  expect((await post()).status).toBe(429);
  await first.body?.cancel();
  expect((await post()).status).toBe(200);
});

test("a run that is written to a log by hand holds the place of its request until it has ended", async () => {
  const log = memoryLog();
  let source: ReadableStreamDefaultController<JsonPatch> | undefined;
  let runs = 0;
  const handle = boundedHandler(
    () => {
      const patches = new ReadableStream<JsonPatch>({ start: (it) => void (source = it) });
      const response = toEventStream(patches as unknown as AsyncIterable<JsonPatch>, {
        log,
        id: String(runs++),
      });
      return new Response(response.body, {
        headers: { ...Object.fromEntries(response.headers), "x-own": "1" },
      });
    },
    { maxRuns: 1 },
  );
  const post = (): Promise<Response> => {
    const headers = { "content-type": "application/json" };
    return handle(new Request("http://localhost/", { method: "POST", headers, body: "1" }));
  };
  const first = await post();
  expect(first.headers.get("x-own")).toBe("1");
  await first.body?.cancel();
  expect((await post()).status).toBe(429);
  source?.close();
  await expect.poll(async () => (await post()).status).toBe(200);
});
