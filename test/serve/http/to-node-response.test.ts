import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { collect, from, type JsonPatch } from "millrace";
import { fromEventStream } from "millrace/client";
import { toEventStream, toNodeResponse } from "millrace/serve";
import { expect, test } from "vitest";
import { listen } from "../../behaviour/browser/support/listen.js";

const patch: JsonPatch = [{ op: "replace", path: "", value: 1 }];

/** Serves one handler during `use`. */
async function serving(
  handle: (response: ServerResponse) => Promise<void>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const handled: Promise<void>[] = [];
  const { url, close } = await listen((_, response) => handled.push(handle(response)));
  try {
    await use(`${url}/`);
    await Promise.all(handled);
  } finally {
    await close();
  }
}

test("sends the status, the headers, cookies and the body", async () => {
  const headers = new Headers([
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
    ["x-own", "1"],
  ]);
  const answers = [new Response("text", { status: 201, headers }), new Response(null, { status: 204 })];
  await serving(
    (response) => toNodeResponse(answers.shift()!, response),
    async (url) => {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get("x-own"), await answer.text()]).toEqual([201, "1", "text"]);
      expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect((await fetch(url)).status).toBe(204);
    },
  );
});

test("sends a stream, which the client reads as patches", async () => {
  await serving(
    (response) => toNodeResponse(toEventStream(from([patch, []])), response),
    async (url) => expect(await collect(fromEventStream(url))).toEqual([patch, []]),
  );
});

test("sends the rest of a stream that somebody else has begun to read", async () => {
  const answer = toEventStream(from([patch, []]));
  const reader = answer.body!.getReader();
  await reader.read(); // the comment that opens the stream
  await reader.read();
  reader.releaseLock();
  await serving(
    (response) => toNodeResponse(answer, response),
    async (url) => expect(await collect(fromEventStream(url))).toEqual([[]]),
  );
});

test("sends nothing of a stream that was cancelled", async () => {
  const answer = toEventStream(from([patch]));
  await answer.body!.cancel();
  await serving(
    (response) => toNodeResponse(answer, response),
    async (url) => expect(await (await fetch(url)).text()).toBe(""),
  );
});

test("a disconnecting client closes the run, even while it is silent", async () => {
  let closed = (): void => {};
  const left = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const silent = new ReadableStream<JsonPatch>({
    start: (controller) => {
      controller.enqueue(patch);
    },
    cancel: () => {
      closed();
    },
  });
  await serving(
    (response) => toNodeResponse(toEventStream(from(silent)), response),
    async (url) => {
      for await (const got of fromEventStream(url)) {
        expect(got).toEqual(patch);
        break;
      }
      await left;
    },
  );
});

test("a slow client slows down the run", async () => {
  let made = 0;
  async function* endless(): AsyncGenerator<JsonPatch> {
    for (;;) {
      made++;
      yield [{ op: "replace", path: "", value: "x".repeat(100_000) }];
    }
  }
  await serving(
    (response) => toNodeResponse(toEventStream(endless()), response),
    async (url) => {
      const reader = (await fetch(url)).body!.getReader();
      await reader.read();
      let before = -1;
      while (before !== made) {
        before = made;
        await sleep(100);
      }
      expect(made).toBeLessThan(1_000);
      await reader.cancel();
    },
  );
});

test("a body that fails closes the connection before its end", async () => {
  async function* failing(): AsyncGenerator<JsonPatch> {
    yield patch;
    throw new Error("broken");
  }
  await serving(
    (response) => toNodeResponse(toEventStream(failing(), { format: "json-patch" }), response),
    async (url) => {
      await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow(TypeError);
    },
  );
});
