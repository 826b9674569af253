import { createAgent, streamObject } from "millrace";
import { createObjectStore, createThreadClient } from "millrace/client";
import { memoryLog, runHandler } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { memoryThreads, threadHandler } from "millrace/thread";
import { expect, test } from "vitest";
import { z } from "zod";

/** The stores of pages ask for the compact wire, and the handlers answer with it. */

const schema = z.object({ title: z.string(), steps: z.array(z.string()) });
const text = '{"title": "Tea", "steps": ["Boil wa';
const object = { title: "Tea", steps: ["Boil water", "Pour"] };

/** A `fetch` to a handler that notes the bodies. */
function noting(handle: (request: Request) => Promise<Response>): {
  readonly fetch: (url: string | URL, init: RequestInit) => Promise<Response>;
  readonly bodies: Promise<string>[];
} {
  const bodies: Promise<string>[] = [];
  return {
    bodies,
    fetch: async (url, init) => {
      const response = await handle(new Request(url, init));
      bodies.push(response.clone().text());
      return response;
    },
  };
}

test("useObject() and runHandler()", async () => {
  const model = scriptedModel([text, 'ter", "Po', 'ur"]}']);
  const handle = runHandler((_, run) => streamObject({ model, schema, prompt: "Tea." }).toResponse(run), {
    log: memoryLog(),
  });
  const { fetch, bodies } = noting(handle);
  const store = createObjectStore({
    api: "http://localhost/recipe",
    schema,
    fetch,
    schedule: (show) => show(),
  });
  await new Promise<void>((resolve) => {
    store.subscribe(({ status }) => {
      if (status === "done") resolve();
    });
    store.submit("Tea.");
  });
  expect(store.getState().object).toEqual(object);
  const [body = ""] = await Promise.all(bodies);
  expect(body).toMatch(/^0,\{"op":"replace","path":"","value":\{/m);
  expect(body).not.toMatch(/^data: \[/m);
});

test("useThread() and threadHandler()", async () => {
  const agent = createAgent({ model: scriptedModel(["Hel", "lo", "."]) });
  const { fetch, bodies } = noting(threadHandler({ agent, store: memoryThreads() }));
  const chat = createThreadClient({
    api: "http://localhost/chat",
    id: "1",
    fetch,
    schedule: (show) => show(),
  });
  await new Promise<void>((resolve) => {
    chat.subscribe(({ status, messages }) => {
      if (status === "idle" && messages.length === 0) chat.send("Hi");
      if (status === "idle" && messages.length === 2) resolve();
    });
  });
  expect(chat.getState().messages[1]?.text).toBe("Hello.");
  const [loaded, sent] = await Promise.all(bodies);
  for (const body of [loaded, sent]) expect(body).toMatch(/^0,\{"op":"replace","path":"","value":\{/m);
  expect(`${loaded}${sent}`).not.toMatch(/^data: \[/m);
});
