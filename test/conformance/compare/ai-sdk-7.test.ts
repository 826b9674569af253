import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  boundedHandler,
  fromUiMessages,
  keepResponse,
  memoryLog,
  resumeResponse,
  type StreamLog,
  toUiMessageStream,
} from "millrace/serve";
import { print } from "../../../scripts/runtimes/run.js";
import { runtimes, type Runtime } from "../../../scripts/runtimes/runtimes.js";
import { counter, recipeAgent } from "../../serve/ag-ui/ag-ui-conversation.js";
import { serving } from "../../serve/http/request-server.js";
import { installPeer, root } from "./same-app/apps.js";

/** The AI SDK 7 needs Node 22, so a program reads the bodies there. */
const program = `
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from "ai";
const { bodies, cuts } = JSON.parse(await new Response(process.stdin).text());
const read = async (pieces) => {
  const stream = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const chunks = [];
  const invalid = [];
  const reader = parseJsonEventStream({ stream, schema: uiMessageChunkSchema }).getReader();
  for (let next; !(next = await reader.read()).done; ) {
    if (next.value.success) chunks.push(next.value.value);
    else invalid.push(next.value.rawValue);
  }
  const messages = [];
  const source = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream: source, terminateOnError: true })) {
    messages.push(structuredClone(message.parts));
  }
  return { types: chunks.map(({ type }) => type), invalid, messages };
};
const results = [];
for (const body of bodies) {
  const bytes = new TextEncoder().encode(body);
  const whole = await read([bytes]);
  const last = JSON.stringify(whole.messages.at(-1));
  let same = 0;
  for (let cut = 1; cuts && cut < bytes.length; cut++) {
    const { messages } = await read([bytes.slice(0, cut), bytes.slice(cut)]);
    if (JSON.stringify(messages.at(-1)) === last) same++;
  }
  results.push({ ...whole, same, cuts: bytes.length - 1 });
}
console.log(JSON.stringify(results));
`;

/**
 * A page of `useChat`: it sends a message, loses the connection after some bytes, and resumes; then a new page does.
 */
const resumingProgram = `
import { DefaultChatTransport } from "ai";
import { Chat } from "@ai-sdk/react";
const { api, cuts, errors } = JSON.parse(await new Response(process.stdin).text());
const cutting = (cut, error) => async (url, init) => {
  const response = await fetch(url, init);
  if (init.method !== "POST") return response;
  const reader = response.body.getReader();
  let left = cut;
  const body = new ReadableStream({
    async pull(controller) {
      if (left === 0) {
        await reader.cancel();
        return controller.error(new TypeError(error));
      }
      const { done, value } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(value.slice(0, left));
      left -= Math.min(left, value.length);
      await new Promise((resolve) => setTimeout(resolve, 1)); // an error drops what is not read yet
    },
  });
  return new Response(body, { headers: response.headers });
};
const shown = (chat) => chat.messages.map(({ id, role, parts }) => ({ id, role, parts }));
const results = [];
for (const cut of cuts) {
  for (const error of errors) {
    const id = "chat-" + cut + "-" + error;
    const patches = [];
    const onData = ({ type, data }) => { if (type === "data-structured-patch") patches.push(data); };
    const page = (messages, extra) => new Chat({
      id, messages, onData, onError: () => undefined, transport: new DefaultChatTransport({ api, ...extra }),
    });
    const chat = page([], { fetch: cutting(cut, error) });
    await chat.sendMessage({ text: "A recipe." });
    const lost = { status: chat.status, parts: chat.messages.at(-1).parts.length };
    patches.length = 0;
    await chat.resumeStream();
    const reloaded = page(chat.messages.slice(0, 1));
    await reloaded.resumeStream();
    results.push({ lost, status: chat.status, resumed: shown(chat), reloaded: shown(reloaded), patches: patches.length });
  }
}
const nothing = await new DefaultChatTransport({ api }).reconnectToStream({ chatId: "unknown" });
console.log(JSON.stringify({ results, nothing }));
`;

interface ShownMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
}

interface Resuming {
  readonly results: readonly {
    readonly lost: { readonly status: string; readonly parts: number };
    readonly status: string;
    readonly resumed: readonly ShownMessage[];
    readonly reloaded: readonly ShownMessage[];
    readonly patches: number;
  }[];
  readonly nothing: unknown;
}

interface Reading {
  readonly types: readonly string[];
  readonly invalid: readonly unknown[];
  readonly messages: readonly (readonly {
    readonly type: string;
    readonly data?: unknown;
    readonly text?: string;
  }[])[];
  readonly same: number;
  readonly cuts: number;
}

let node: Runtime | undefined;
let absent = "";

beforeAll(async () => {
  try {
    await installPeer("AI SDK 7");
    node = await runtimes.find(({ name }) => name.startsWith("Node 22"))?.get();
  } catch (error) {
    absent = String(error).slice(0, 200);
  }
}, 300_000);

/** Runs a program with the AI SDK 7. */
async function run(name: string, text: string, input: object): Promise<unknown> {
  const file = join(root, `temp/same-app/AI SDK 7/${name}.mjs`);
  writeFileSync(file, text);
  const options = { cwd: root, input: JSON.stringify(input), timeout: 120_000 };
  return JSON.parse(await print((node as Runtime).command, [file], options)) as unknown;
}

async function readWithAiSdk7(bodies: readonly string[], cuts = false): Promise<readonly Reading[]> {
  return (await run("read-bodies", program, { bodies, cuts })) as Reading[];
}

/** The two routes of a chat, as docs/protocols/ai-sdk.md has them. */
function resumableChat(log: StreamLog): (request: Request) => Promise<Response> {
  const start = boundedHandler(async (body) => {
    const { id } = body as { readonly id: string };
    const options = { createId: counter(), messageId: `answer to ${id}` };
    const response = toUiMessageStream(recipeAgent(true).stream(fromUiMessages(body)), options);
    return keepResponse(response, { log, id });
  });
  return async (request) => {
    if (request.method === "POST") return start(request);
    const id = decodeURIComponent(/([^/]+)\/stream$/.exec(new URL(request.url).pathname)?.[1] ?? "");
    return (await resumeResponse({ log, id })) ?? new Response(null, { status: 204 });
  };
}

const bodyOf = async (options: object): Promise<string> =>
  toUiMessageStream(recipeAgent(true).stream("A recipe."), { createId: counter(), ...options }).text();

describe("the reader of the AI SDK 7, on Node 22", () => {
  test(
    "accepts every part, cut at every byte, and takes back the step of a rejected response",
    { timeout: 120_000 },
    async (context) => {
      if (node === undefined) context.skip(`The AI SDK 7 or Node 22 is missing: ${absent}`);
      const bodies = [
        await bodyOf({ resetStep: true, partials: true }),
        await bodyOf({ resetStep: true }),
        await bodyOf({ partials: true }),
      ];
      const [growing, whole, kept] = (await readWithAiSdk7(bodies, true)) as [Reading, Reading, Reading];
      for (const { invalid, same, cuts } of [growing, whole, kept])
        expect([invalid, same]).toEqual([[], cuts]);
      for (const { types, messages } of [growing, whole]) {
        expect(types.filter((type) => type === "reset-step")).toHaveLength(1);
        const last = messages.at(-1) ?? [];
        expect(last.some(({ text }) => text === "Now the recipe.")).toBe(false);
        expect(messages.some((parts) => parts.some(({ text }) => text === "Now the recipe."))).toBe(true);
        const data = last.filter(({ type }) => type === "data-structured").map((part) => part.data);
        expect(data).toEqual([{ title: "Tea", steps: ["boil", "pour"], minutes: 5 }]);
        expect(last.filter(({ type }) => type === "tool-stock")).toHaveLength(1);
      }
      expect(kept.types).not.toContain("reset-step");
      expect(kept.messages.at(-1)?.some(({ text }) => text === "Now the recipe.")).toBe(true);
    },
  );

  test(
    "resumes a message after a lost connection anywhere, and on a new page",
    { timeout: 120_000 },
    async (context) => {
      if (node === undefined) context.skip(`The AI SDK 7 or Node 22 is missing: ${absent}`);
      const { length } = new TextEncoder().encode(await bodyOf({ messageId: "answer to chat-1000" }));
      const cuts = Array.from({ length: 40 }, (_, i) => Math.round((i * (length - 60)) / 40) + 1);
      // A browser's error of a lost connection, and that of Node, which the AI SDK takes for another one.
      const errors = ["network error", "terminated"];
      await serving(resumableChat(memoryLog()), async (api) => {
        const { results, nothing } = (await run("resume", resumingProgram, {
          api,
          cuts,
          errors,
        })) as Resuming;
        expect(nothing).toBeNull();
        expect(results).toHaveLength(80);
        const [{ resumed: expected }] = results as [Resuming["results"][number]];
        expect(JSON.stringify(expected)).toContain(
          '"data":{"title":"Tea","steps":["boil","pour"],"minutes":5}',
        );
        expect(new Set(results.map(({ lost }) => lost.parts)).size).toBeGreaterThan(5);
        for (const { lost, status, resumed, reloaded, patches } of results) {
          expect([lost.status, status]).toEqual(["error", "ready"]);
          expect(patches).toBe(results[0]?.patches);
          for (const messages of [resumed, reloaded]) {
            expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
            expect(messages[1]?.parts).toEqual(expected[1]?.parts);
          }
        }
      });
    },
  );
});
