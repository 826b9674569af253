import { hasMethod } from "../../text/thrown.js";
import { checkArgument } from "../../text/check-options.js";
import type { Agent } from "../../agent/agent.js";
import type { AgentEvent } from "../../agent/events.js";
import type { ThreadView } from "../../agent/views.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { type JsonValue, withoutUndefined } from "../../json/value.js";
import {
  boundedRuns,
  boundNames,
  checkRequest,
  type InfoArgument,
  type RequestBounds,
  respondTo,
} from "../../serve/http/bounded-handler.js";
import { readersWith } from "../../serve/http/places/readers.js";
import { RequestError } from "../../serve/http/request-error.js";
import { holdingLog } from "../../serve/log/holding-log.js";
import { memoryLog } from "../../serve/log/memory-log.js";
import type { StreamLog } from "../../serve/log/stream-log.js";
import { toEventStream } from "../../serve/patches/to-event-stream.js";
import type { OnRunError } from "../../serve/shown-error.js";
import type { OptionNames } from "../../text/check-options.js";
import { from } from "../../stream/sources/from.js";
import { ThreadError } from "../errors.js";
import type { ListOptions } from "../stores/thread-store.js";
import { responseCalls } from "../response-calls.js";
import { thread } from "../open-thread.js";
import type { Thread, ThreadOptions } from "../thread.js";
import { readThreadInput, type ThreadInput } from "./thread-input.js";
import { threadPatches } from "./thread-patches.js";
import { threadView } from "./thread-view.js";

/** The options of `threadHandler()`. */
export interface ThreadHandlerOptions<Context = unknown, Info = unknown>
  extends Omit<RequestBounds<Info>, "onError">, Pick<ThreadOptions, "store" | "title" | "lease" | "run"> {
  /** Answers the messages. */
  readonly agent: Agent<unknown, unknown, Context>;
  /**
   * Returns the id of the user who asks, from a session for instance. Each user has threads of their own, and nobody
   * finds those of another. A request without a user is refused. Default: all requests are one user's.
   */
  readonly clientId?: NonNullable<RequestBounds<Info>["clientId"]>;
  /** Returns the `context` of the run for a request. */
  readonly context?: (request: Request, info: Info) => Context | PromiseLike<Context>;
  /** Keeps the answers that are being written, for pages that are reloaded. Default: a `memoryLog()`. */
  readonly log?: StreamLog;
  /** Receives all errors. For an error of a turn it may return what the user sees. */
  readonly onError?: OnRunError;
}

const optionNames = {
  ...boundNames,
  agent: true,
  store: true,
  title: true,
  lease: true,
  run: true,
  context: true,
  log: true,
} satisfies OptionNames<ThreadHandlerOptions>;

/**
 * Creates the handler that `useThread()` asks. The id of the thread is `thread` in the query.
 *
 * - `GET` reads the conversation, with the answer that is being written. Without an id, it lists 50 threads of the user, those
 *   that were changed last; with `after=<updatedAt>,<id>` of the last one, those that follow it.
 * - `POST` sends a message, decides about a call or answers it, or resumes: `{ type: "send", text }`, `{ type: "approve", call }`,
 *   `{ type: "reject", call, message }`, `{ type: "answer", call, result }`, `{ type: "resume" }`. The answer is written to its end when the page is left.
 * - `DELETE` stops the answer.
 *
 * A `POST` has the limits of `boundedHandler()`, and requests of other origins are refused. A message is refused with
 * `conflict` if another tab has changed the conversation, and with `busy` while an answer is being written.
 *
 * @returns a handler whose second argument, if any, is passed on to `clientId` and `context`
 * @throws {RangeError} if a number is out of range
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { memoryThreads, threadHandler } from "millrace/thread";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hel", "lo."]) });
 * const handle = threadHandler({ agent, store: memoryThreads() });
 *
 * const url = "http://localhost/chat?thread=1";
 * const headers = { "content-type": "application/json" };
 * const body = JSON.stringify({ type: "send", text: "Hi" });
 * await (await handle(new Request(url, { method: "POST", headers, body }))).text();
 * console.log((await (await handle(new Request(url))).text()).includes('"text":"Hello."')); // true
 * ```
 */
export function threadHandler<Context = unknown, Info = unknown>(
  options: ThreadHandlerOptions<Context, Info>,
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const read = readersWith("threadHandler()", options, optionNames);
  const { agent, store, title, lease, run, context, clientId, onError } = options;
  const { log = memoryLog() } = options;
  const isAgent = hasMethod(agent, "stream");
  checkArgument("threadHandler()", "an agent that createAgent() has made", isAgent, agent);
  const hidden = responseCalls(agent);
  /** The turns that run in this process. */
  const running = new Map<string, Thread>();

  const ownerOf = (request: Request, info: Info): string => {
    if (clientId === undefined) return "";
    const owner = clientId(request, info);
    if (typeof owner === "string" && owner !== "") return owner;
    throw new RequestError("unauthorized", "Please sign in.");
  };
  const open = (owner: string, id: string): Promise<Thread<unknown, Context>> => {
    return thread(agent, { ...withoutUndefined({ title, lease, run, onError }), store, id, owner });
  };

  const begin = boundedRuns<Info>(
    async (slot, body, request, info) => {
      const input = readThreadInput(body);
      const owner = ownerOf(request, info);
      const chat = await open(owner, idOf(request));
      const given = context === undefined ? {} : { context: await context(request, info) };
      const turn = (await beginTurn(chat, input, given, hidden))[Symbol.asyncIterator]();
      // The first event follows the save of the beginning, and comes before the model is asked.
      const first = await turn.next();
      const key = keyOf(owner, chat.id);
      running.set(key, chat);
      const onEnd = (): void => {
        if (running.get(key) === chat) running.delete(key);
      };
      const patches = threadPatches({ chat, first, events: turn, hidden, onError, onEnd });
      const held = holdingLog(log, slot.hold);
      return toEventStream(patches, {
        log: { ...held, create: (run) => held.create(run).catch(closing(patches)) },
        id: runOf(chat) ?? crypto.randomUUID(),
        accept: request.headers.get("accept"),
        ...(onError !== undefined && { onError }),
      });
    },
    options,
    read,
  );

  return (request, ...info) => {
    checkRequest(request);
    const { method, headers, signal } = request;
    if (method === "POST") return begin(request, ...info);
    return respondTo(request, options, "GET, POST, DELETE", async () => {
      const owner = ownerOf(request, info[0] as Info);
      if (method === "GET" && idIn(request) === null) {
        return Response.json({ threads: await store.list(owner, pageOf(request)) });
      }
      const id = idOf(request);
      if (method === "DELETE") {
        const chat = running.get(keyOf(owner, id)) ?? (await open(owner, id));
        const stopped = chat.status === "running" || chat.status === "paused";
        await chat.stop();
        return Response.json({ stopped });
      }
      if (method !== "GET") throw new RequestError("method_not_allowed", "Use GET, POST or DELETE.");
      return read(owner === "" ? undefined : owner, signal, async () =>
        readThread(await open(owner, id), log, hidden, headers),
      );
    });
  };
}

/** The events of what a page asks for. */
async function beginTurn<Context>(
  chat: Thread<unknown, Context>,
  input: ThreadInput,
  options: { readonly context?: Context },
  hidden: ReadonlySet<string>,
): Promise<AsyncIterable<AgentEvent>> {
  switch (input.type) {
    case "send": {
      const { content, seen } = input;
      if (seen !== undefined && seen !== threadView(chat.record, hidden).messages.length) {
        throw new ThreadError(
          "conflict",
          "The conversation was changed in another tab. Look at it, and send again.",
        );
      }
      return chat.stream([{ role: "user", content }], options);
    }
    case "approve":
      await chat.approve(input.call, input.args);
      break;
    case "reject":
      await chat.reject(input.call, input.message);
      break;
    case "answer":
      await chat.answer(input.call, input.result);
      break;
    case "resume":
  }
  return chat.resume(options);
}

/** The conversation as it is, with what is still to come. */
async function readThread(
  chat: Thread,
  log: StreamLog,
  hidden: ReadonlySet<string>,
  headers: Headers,
): Promise<Response> {
  const accept = headers.get("accept");
  const id = runOf(chat);
  if (chat.status === "running" && id !== undefined && (await log.status(id)) === "active") {
    return toEventStream(undefined, { log, id, lastEventId: headers.get("last-event-id"), accept });
  }
  const view = threadView(chat.record, hidden);
  const value = chat.status === "running" && !chat.isOwned ? { ...view, ...lost } : view;
  const patch: JsonPatch = [{ op: "replace", path: "", value: value as unknown as JsonValue }];
  return toEventStream(from([patch]), { accept });
}

/** The name of the turn in the log. */
function runOf({ record }: Thread): string | undefined {
  const { id, attempt = 1 } = record?.turn ?? {};
  return id === undefined ? undefined : `${id}.${attempt}`;
}

/** A turn whose process has died, or was replaced by a new version of the app. */
const lost: Pick<ThreadView, "status" | "error"> = {
  status: "failed",
  error: { code: "run_lost", message: "The server was restarted during this answer. It can be continued." },
};

/** Ends a turn that the log refuses. Nobody would read its events. */
function closing(patches: AsyncIterable<unknown>): (error: unknown) => Promise<never> {
  return async (error) => {
    await patches[Symbol.asyncIterator]().return?.();
    throw error;
  };
}

/** The page of the list, whose query has the last thread of the page before. */
function pageOf({ url }: Request): ListOptions {
  const after = new URL(url).searchParams.get("after");
  if (after === null) return {};
  const [, updatedAt, id] = /^(\d{1,16}),(.+)$/s.exec(after) ?? [];
  if (id !== undefined) return { after: { id, updatedAt: Number(updatedAt) } };
  throw new RequestError(
    "invalid_request",
    "In the query, after= has the updatedAt and the id of a conversation: after=1735689600000,1.",
  );
}

function idIn({ url }: Request): string | null {
  return new URL(url).searchParams.get("thread");
}

function idOf(request: Request): string {
  const id = idIn(request);
  if (id !== null) return id;
  throw new RequestError("invalid_request", "The query needs the id of a conversation: thread=.");
}

function keyOf(owner: string, id: string): string {
  return JSON.stringify([owner, id]);
}
