import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ModelError, pipe, take, textOf } from "millrace";
import { openai } from "millrace/openai";
import { deferred } from "../../models/support/deferred.js";
import { modelAt, outcomeOf, serving } from "../../models/support/models.js";
import { type Answer, begin, content, finish, hello, status } from "../../models/support/server.js";

/** Sends one token, and keeps the answer open. */
const oneToken: Answer = (response) => {
  begin(response, content("Hel"));
};
const hang: Answer = () => {};

describe("the server sees its connection closed when", () => {
  // G-models-7
  test("the loop ends early", async () => {
    const server = await serving(oneToken);
    for await (const chunk of modelAt(server).stream("Hi")) {
      expect(textOf(chunk)).toBe("Hel");
      break;
    }
    await server.requests[0]?.left;
  });

  test("the loop throws", async () => {
    const server = await serving(oneToken);
    const read = async (): Promise<void> => {
      for await (const chunk of modelAt(server).stream("Hi")) throw new Error(textOf(chunk));
    };
    await expect(read()).rejects.toThrow("Hel");
    await server.requests[0]?.left;
  });

  test("a later stage stops", async () => {
    const server = await serving(oneToken);
    const { chunks } = await outcomeOf(pipe(modelAt(server).stream("Hi"), take(1)));
    expect(chunks).toHaveLength(1);
    await server.requests[0]?.left;
  });

  // G-models-7
  test("the signal is aborted between two tokens, with its reason as the error", async () => {
    const server = await serving(oneToken);
    const controller = new AbortController();
    const reason = { why: "enough" };
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of modelAt(server).stream("Hi", { signal: controller.signal })) {
        texts.push(textOf(chunk));
        setTimeout(() => controller.abort(reason));
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(texts).toEqual(["Hel"]);
    await server.requests[0]?.left;
  });

  test("the signal is aborted with a ModelError, which stays the same object", async () => {
    const server = await serving(oneToken);
    const controller = new AbortController();
    const reason = new ModelError("cut", "enough");
    const read = async (): Promise<void> => {
      for await (const _ of modelAt(server).stream("Hi", { signal: controller.signal }))
        controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    await server.requests[0]?.left;
  });

  // G-models-7
  test("the signal is aborted before the answer", async () => {
    const controller = new AbortController();
    const server = await serving(() => {
      controller.abort();
    });
    const { error } = await outcomeOf(modelAt(server).stream("Hi", { signal: controller.signal }));
    expect(error).toBe(controller.signal.reason);
    await server.requests[0]?.left;
  });

  // G-models-7
  test("the consumer leaves while a token is pending", async () => {
    const server = await serving(oneToken);
    const iterator = modelAt(server).stream("Hi")[Symbol.asyncIterator]();
    await iterator.next();
    const pending = iterator.next();
    await iterator.return?.();
    await server.requests[0]?.left;
    expect((await pending).done).toBe(true);
  });

  test("the consumer leaves before the answer", async () => {
    const { promise: asked, resolve: arrived } = deferred();
    const server = await serving(() => {
      arrived();
    });
    const iterator = modelAt(server).stream("Hi")[Symbol.asyncIterator]();
    const pending = iterator.next();
    await asked;
    await iterator.return?.();
    await server.requests[0]?.left;
    expect((await pending).done).toBe(true);
  });

  test("the body of an error is too long", async () => {
    const server = await serving((response) => {
      response.writeHead(500);
      response.write("x".repeat(1_000_000)); // without an end
    });
    expect((await outcomeOf(modelAt(server).stream("Hi"))).error).toMatchObject({
      code: "http",
      status: 500,
    });
    await server.requests[0]?.left;
  });
});

describe("no request is made", () => {
  // G-models-6
  test("before the stream is pulled", async () => {
    const server = await serving(hello);
    const iterator = modelAt(server).stream("Hi")[Symbol.asyncIterator]();
    await delay(20);
    expect(server.requests).toEqual([]);
    await iterator.return?.();
    expect(await iterator.next()).toMatchObject({ done: true });
    expect(server.requests).toEqual([]);
  });

  test("when the signal is already aborted", async () => {
    const server = await serving(hello);
    const signal = AbortSignal.abort("no");
    expect(await outcomeOf(modelAt(server).stream("Hi", { signal }))).toEqual({ chunks: [], error: "no" });
    expect(server.requests).toEqual([]);
  });
});

describe("a connection", () => {
  test("is reused for the next request, even if the body ends after the end marker", async () => {
    const server = await serving((response) => {
      begin(response, content("a"), finish());
      response.write("data: [DONE]\n\n");
      setTimeout(() => response.end(), 3);
    });
    for (let i = 0; i < 5; i++) {
      await outcomeOf(modelAt(server).stream("Hi"));
      await delay(20);
    }
    expect(server.requests).toHaveLength(5);
    expect(server.connections).toBeLessThan(5);
  });

  test("is closed after a delay if the body does not end after the end marker", async () => {
    const server = await serving((response) => {
      begin(response, content("a"), finish());
      response.write("data: [DONE]\n\n");
    });
    const { chunks, error } = await outcomeOf(modelAt(server).stream("Hi"));
    expect([chunks.length, error]).toEqual([2, undefined]);
    await server.requests[0]?.left;
  });

  test("is reused for the retry of a failed request", async () => {
    const server = await serving(status(500, {}), hello);
    const clock = {
      now: () => 0,
      setTimeout: (wake: () => void) => setTimeout(wake),
      clearTimeout: () => {},
    };
    expect((await outcomeOf(modelAt(server, { maxRetries: 1, clock }).stream("Hi"))).error).toBeUndefined();
    expect(server.connections).toBe(1);
  });
});

test("is closed even if fetch ignores the signal", async () => {
  let cancelled = 0;
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      cancel: () => {
        cancelled++;
      },
    });
  const answers: ((response: Response) => void)[] = [];
  const fetch = (): Promise<Response> =>
    new Promise((resolve) => {
      answers.push(resolve);
    });
  const model = openai({ model: "a", apiKey: "k", fetch });

  const late = model.stream("Hi")[Symbol.asyncIterator]();
  const pending = late.next();
  await delay(0);
  await late.return?.();
  answers.shift()?.(new Response(body()));
  expect((await pending).done).toBe(true);
  await delay(0);
  expect(cancelled).toBe(1);

  const waiting = model.stream("Hi")[Symbol.asyncIterator]();
  const first = waiting.next();
  await delay(0);
  answers.shift()?.(new Response(body()));
  await delay(0);
  await waiting.return?.();
  expect((await first).done).toBe(true);
  expect(cancelled).toBe(2);
});

// G-models-6
test("each iteration sends its own request, and two run concurrently", async () => {
  const server = await serving(hello);
  const stream = modelAt(server).stream("Hi");
  const outcomes = await Promise.all([outcomeOf(stream), outcomeOf(stream)]);
  expect(outcomes.map(({ chunks }) => chunks.map(textOf).join(""))).toEqual(["Hello", "Hello"]);
  expect(server.requests).toHaveLength(2);
});

test("100 aborted streams leave no listeners on their signal", async () => {
  const server = await serving(hang);
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  for (let i = 0; i < 100; i++) {
    const iterator = modelAt(server).stream("Hi", { signal })[Symbol.asyncIterator]();
    void iterator.next();
    await iterator.return?.();
  }
  expect(listeners).toBe(0);
});
