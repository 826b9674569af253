import type { MessageView, ThreadProblem, ThreadRequest, ThreadView } from "../../agent/views.js";
import { systemClock } from "../../stream/time/clock.js";
import { ClientError, inWords } from "../errors.js";
import { noop } from "../../stream/core/result.js";
import { callSubscribers } from "../store/call-subscriber.js";
import { patchStore } from "../store/patch-store.js";
import { failing, sendStop, withParameter } from "../store/requests.js";
import type { StreamedThread, ThreadClient, ThreadClientOptions } from "./streamed-thread.js";

/**
 * Holds a conversation that `threadHandler()` serves. `useThread()` of `millrace/react`, `/vue`, `/svelte` and `/solid`
 * are thin shells around it; without a framework, use it directly.
 *
 * - The first subscriber loads the conversation, with the answer that is being written. A lost connection is resumed.
 * - When the page is shown or online again, it loads what another tab has changed, and what it has missed.
 * - The client is connected while it has subscribers. An answer continues on the server without them.
 * - Subscribers are notified at most once per animation frame.
 *
 * Creating a client sends nothing and touches no browser API, so it may happen during server rendering.
 *
 * @typeParam Structured the structured response of the agent
 * @param options or a function that returns them; it is called for each request, but the `id` is that of the first call
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { createThreadClient } from "millrace/client";
 * import { scriptedModel } from "millrace/testing";
 * import { memoryThreads, threadHandler } from "millrace/thread";
 *
 * const agent = createAgent({ model: scriptedModel(["Hel", "lo."]) });
 * const handle = threadHandler({ agent, store: memoryThreads() });
 * const chat = createThreadClient({
 *   api: "http://localhost/chat",
 *   id: "1",
 *   fetch: (url, init) => handle(new Request(url, init)), // stands in for the network
 * });
 * const unsubscribe = chat.subscribe(({ status, messages }) => {
 *   if (status === "idle" && messages.length === 0) chat.send("Hi");
 *   if (status === "idle" && messages.length === 2) {
 *     console.log(messages[1]?.text); // "Hello."
 *     unsubscribe();
 *   }
 * });
 * ```
 */
export function createThreadClient<Structured = unknown>(
  options: ThreadClientOptions | (() => ThreadClientOptions),
): ThreadClient<Structured> {
  type State = StreamedThread<Structured>;
  const current = typeof options === "function" ? options : (): ThreadClientOptions => options;
  const { schedule, id } = current();
  const patches = patchStore<ThreadView>(schedule === undefined ? {} : { schedule });
  const subscribers = new Set<{ readonly notify: (state: State) => void }>();
  /** The message that the conversation does not have yet. */
  let sending: (OwnMessage & { isPosted?: true }) | undefined;
  let unsent: OwnMessage | undefined;
  /** Why an action failed. It stays until the next one. */
  let refusal: ThreadProblem | undefined;
  let asked = 0;
  /** The latest request was accepted, or has failed. */
  let opened: Promise<unknown> = Promise.resolve();
  /** Its answer has ended. */
  let ended = opened;
  let cancelTimer = noop;

  const change = (): void => {
    state = stateOf();
    callSubscribers(subscribers, getState);
  };

  const fail = (error: unknown): void => {
    refusal = problemOf(error);
    change();
  };
  /** An action failed. A message that is not in the conversation is given back. */
  const giveBack = (error: unknown): void => {
    unsent = sending ?? unsent;
    sending = undefined;
    fail(error);
  };

  /** Asks the server for something, or reads the conversation, and follows the answer to its end. */
  const connect = async (request?: ThreadRequest, accept = noop): Promise<void> => {
    const turn = ++asked;
    cancelTimer();
    let isAccepted = false;
    let clock = systemClock;
    try {
      const { api, id: _id, schedule: _schedule, onEvent, ...rest } = current();
      ({ clock = systemClock } = rest);
      await patches.connect(withParameter(api, "thread", id), {
        ...rest,
        keepValue: true,
        ...(request !== undefined && { body: JSON.stringify(request) }),
        onEvent: (event) => {
          if (event.type === "open") {
            isAccepted = true;
            accept();
          }
          onEvent?.(event);
        },
      });
    } catch (error) {
      await patches.connect(failing(error), { keepValue: true }); // the options or the request could not be made
    }
    if (turn !== asked) return;
    const { status, error, value } = patches.getState();
    if (sending?.isPosted || (request !== undefined && status === "error" && !isAccepted)) {
      giveBack(error ?? new ClientError("cut", "The message did not arrive. Please send it again."));
      if (refreshing.has(refusal?.code)) void connect();
    } else if (
      value?.status === "running" &&
      (status === "done" || isRunError(error)) &&
      subscribers.size > 0
    ) {
      // Another process writes the answer, or the log has lost it: the store says how it continues.
      const timer = clock.setTimeout(() => void connect(), 3_000);
      cancelTimer = () => {
        clock.clearTimeout(timer);
      };
    }
  };
  /** Requests go one after the other: a new one would cancel the one before on its way. */
  const act = (request: ThreadRequest | Promise<ThreadRequest>, after = opened): void => {
    let accept = noop;
    opened = new Promise<void>((resolve) => {
      accept = resolve;
    });
    ended = Promise.all([request, after])
      .then(([it]) => {
        if (it.type === "send" && sending !== undefined) sending.isPosted = true;
        return connect(it, accept);
      }, giveBack)
      .finally(accept);
  };
  /** A decision waits until the answer to the one before has paused again. */
  const decide = (request: ThreadRequest): void => {
    begin();
    act(request, ended);
  };
  const begin = (): void => {
    refusal = undefined;
    unsent = undefined;
  };
  const actions = {
    send(text: string, files: readonly (string | Blob)[] = []): void {
      const seen = patches.getState().value?.messages?.length;
      begin();
      if (sending !== undefined) {
        unsent = { text, seen: sending.seen };
        fail(new ClientError("http", "A message is being sent. Please wait.", { reason: "busy" }));
        return;
      }
      sending = { text, seen };
      change();
      const read = files.map(async (it) => ({ url: typeof it === "string" ? it : await dataUrlOf(it) }));
      act(
        Promise.all(read).then((media) => ({
          type: "send",
          text,
          media,
          ...(seen !== undefined && { seen }),
        })),
      );
    },
    stop(): void {
      const send = async (): Promise<void> => {
        const { api, ...options } = current();
        await opened;
        await sendStop(withParameter(api, "thread", id), options);
        if (!state.isBusy) void connect();
      };
      send().catch(fail);
    },
    approve: (call, args) => {
      decide({ type: "approve", call, ...(args !== undefined && { args }) });
    },
    reject: (call, message) => {
      decide({ type: "reject", call, ...(message !== undefined && { message }) });
    },
    answer: (call, result) => {
      decide({ type: "answer", call, result });
    },
    resume: () => {
      begin();
      act({ type: "resume" });
    },
    refresh: () => {
      void opened.then(() => connect());
    },
  } satisfies Omit<ThreadClient, "getState" | "getInitialState" | "subscribe">;

  const stateOf = (): State => {
    const { value, status: connection, error } = patches.getState();
    const isThread = Array.isArray(value?.messages);
    const view: ThreadView = { ...emptyView, ...(isThread && (value as ThreadView)) };
    const isFailed = connection === "error" || (connection === "done" && !isThread);
    const known = isFailed && (!isThread || view.status === "running") ? "failed" : view.status;
    const status = sending !== undefined ? "running" : connection === "reconnecting" ? connection : known;
    const failure = isFailed && sending === undefined ? problemOf(error) : view.error;
    return {
      ...actions,
      ...view,
      status,
      messages:
        sending === undefined
          ? view.messages
          : [
              ...view.messages,
              { id: `m${view.messages.length}`, role: "user", text: sending.text, media: [] },
            ],
      isBusy: status === "running" || (status === "reconnecting" && known === "running"),
      error: refusal ?? failure ?? undefined,
      pending: status === "paused" ? waitingIn(view.messages) : none,
      object: (view.object ?? undefined) as State["object"],
      unsent: unsent?.text,
    };
  };
  const initialState = stateOf();
  let state = initialState;
  const getState = (): State => state;
  patches.subscribe(({ value, status }) => {
    const messages = Array.isArray(value?.messages) ? (value as ThreadView).messages : none;
    const has = ({ text, seen }: OwnMessage): boolean =>
      messages.some((it, at) => it.role === "user" && it.text === text && at === (seen ?? at));
    if (sending?.isPosted && has(sending)) sending = undefined;
    // The request has arrived, though its answer was lost; or the page shows what another tab has decided.
    if (
      unsent === undefined
        ? refusal?.code === "conflict" && status !== "error" && status !== "connecting"
        : unsent.seen !== undefined && has(unsent)
    )
      begin();
    change();
  });

  const onReturn = (): void => {
    if (document.visibilityState === "visible" && !state.isBusy) actions.refresh();
  };
  /** Adds or removes the listener. An event of the document reaches its window. */
  const listen = (how: "addEventListener" | "removeEventListener"): void => {
    for (const type of ["visibilitychange", "online"])
      globalThis.document?.defaultView?.[how](type, onReturn);
  };
  let isInside = false;
  const enter = (): void => {
    if (isInside) return;
    isInside = true;
    void connect();
    listen("addEventListener");
  };
  const leave = (): void => {
    if (subscribers.size > 0) return;
    isInside = false;
    asked++;
    cancelTimer();
    listen("removeEventListener");
    // A message on its way still arrives.
    void opened.then(() => {
      if (!isInside) patches.stop();
    });
  };

  return {
    ...actions,
    getState,
    getInitialState: () => initialState,
    subscribe(notify) {
      const subscriber = { notify };
      subscribers.add(subscriber);
      enter();
      notify(state);
      return () => {
        if (!subscribers.delete(subscriber)) return;
        // A framework may subscribe again at once, as React does in StrictMode.
        queueMicrotask(leave);
      };
    },
  };
}

/** A message, and how many the page had before it, if it had loaded them. */
interface OwnMessage {
  readonly text: string;
  readonly seen: number | undefined;
}

const none: readonly never[] = [];

/** Before the conversation has arrived. */
const emptyView = {
  title: "",
  status: "loading" as ThreadView["status"],
  messages: none,
  object: null,
  error: null,
  retry: null,
  usage: null,
} satisfies ThreadView;

/**
 * The conversation may differ from what the page shows: another tab has changed it, or a request has arrived though its
 * answer was lost.
 */
const refreshing: ReadonlySet<string | undefined> = new Set(["conflict", "busy", "no_turn", "cut", "http"]);

function isRunError(error: unknown): boolean {
  return error instanceof ClientError && error.code === "run";
}

function problemOf(error: unknown): ThreadProblem {
  const { reason, code, message } = inWords(error);
  return { code: reason ?? code, message };
}

function waitingIn(messages: readonly MessageView[]): StreamedThread["pending"] {
  const last = messages.at(-1);
  return last?.role === "assistant" ? last.calls.filter(({ status }) => status === "paused") : none;
}

function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      resolve(reader.result as string);
    };
    reader.onerror = () => {
      reject(reader.error ?? new Error("The file cannot be read."));
    };
    reader.readAsDataURL(file);
  });
}

/** A client that components share, or a new one. */
export function toThreadClient<Structured>(
  source: ThreadClient<Structured> | ThreadClientOptions | (() => ThreadClientOptions),
): ThreadClient<Structured> {
  return "subscribe" in source ? source : createThreadClient(source);
}
