import { randomDigits } from "../../text/bytes/hex.js";
import { noop } from "../../stream/core/result.js";
import { ClientError, inWords } from "../errors.js";
import { callSubscriber } from "../store/call-subscriber.js";
import { failing, sendStop } from "../store/requests.js";
import type { PatchState, PatchStatus } from "../store/patch-state.js";
import type { ConnectOptions, PatchStore } from "../store/patch-store.js";
import type { ObjectStoreOptions } from "./object-store-options.js";
import { answerTo, markSent } from "./unanswered.js";
import { nameOf, runUrl } from "./run-url.js";
import { storedId } from "./stored-id.js";
import type { ObjectActions } from "./streamed-object.js";

/** A run, as this page knows it. */
interface Run {
  readonly id: string;
  /** It was started before a reload. */
  readonly isResumed: boolean;
  /** The server has accepted a request. */
  isOpen: boolean;
}

/**
 * - `none`: this page has no run
 * - `reading`: its patches arrive, or will
 * - `left`: it continues without a reader, as the last subscriber has left
 * - `lost`: reading failed, but the server may still work on it
 * - `over`: it has ended, or never began
 */
type Phase =
  | { readonly phase: "none"; readonly run?: undefined }
  | { readonly phase: "reading" | "left" | "lost" | "over"; readonly run: Run };

/** The actions on the run of a store, and its subscribers. */
export interface RunConnection extends ObjectActions {
  /** Counts a subscriber. Returns a function for the end of its subscription. */
  readonly join: () => () => void;
}

/**
 * Connects a store of patches to one run of a server at a time. The phase alone decides what an event does:
 *
 * | phase     | `submit`          | `stop`         | `clear`        | first subscriber             | last one leaves | reading ends   |
 * | --------- | ----------------- | -------------- | -------------- | ---------------------------- | --------------- | -------------- |
 * | `none`    | `reading`         |                |                | `reading` if an id is stored |                 |                |
 * | `reading` | DELETE, `reading` | DELETE, `over` | DELETE, `none` |                              | `left`          | `over`, `lost` |
 * | `left`    | DELETE, `reading` | DELETE, `over` | DELETE, `none` | `reading`                    |                 |                |
 * | `lost`    | DELETE, `reading` | DELETE         | DELETE, `none` |                              |                 |                |
 * | `over`    | `reading`         |                | `none`         |                              |                 |                |
 *
 * For example: `submit()` sends a `POST`, and the phase is `reading`. The page is left: `left`. A subscriber comes, a
 * `GET` is sent: `reading`. The server answers 500 to each attempt: `lost`. `stop()` sends a `DELETE`.
 */
export function runConnection<T>(
  patches: PatchStore<T>,
  current: () => Omit<ObjectStoreOptions, "schema" | "elements">,
): RunConnection {
  const { remember = "session" } = current();
  const stored = storedId(remember, nameOf(current()));
  let connection: Phase = { phase: "none" };
  let subscribers = 0;

  const fetchNow = async (url: string | URL, init: RequestInit): Promise<Response> =>
    (current().fetch ?? fetch)(url, init);

  /** Reads the run, and starts it if there is a body. */
  const read = async (run: Run, more?: Pick<ConnectOptions, "body" | "keepValue">): Promise<void> => {
    connection = { phase: "reading", run };
    let answered = noop;
    try {
      const { onEvent, ...rest } = current();
      await patches.connect(runUrl(rest.api, run.id), {
        ...rest,
        ...more,
        onEvent: (event) => {
          if (event.type === "open") run.isOpen = true;
          onEvent?.(event);
        },
        fetch: async (url, { signal, ...init }) => {
          // Not aborted: the server may start the run in any case, and it can be stopped only after that.
          if (init.method === "POST") return fetchNow(url, init).finally((answered = markSent(run.id)));
          await answerTo(run.id);
          return fetchNow(url, { ...init, ...(signal && { signal }) });
        },
      });
    } catch (error) {
      await patches.connect(failing(error)); // the options or the URL could not be made
    }
    if (connection.run !== run) return;
    settle(patches.getState()); // not notified of the same error twice
    // A request that was only left may still be answered.
    if (patches.status === "error") answered();
    // After a reload the run may be gone, which concerns nobody. An id in the URL is a link that somebody followed.
    if (run.isResumed && remember === "session" && isGone(patches.error)) actions.clear();
  };

  const settle = ({ status, error }: Pick<PatchState<T>, "status" | "error">): void => {
    if (connection.phase !== "reading" || isActive(status)) return;
    const { run } = connection;
    connection = { phase: status === "error" && mayContinue(error, run) ? "lost" : "over", run };
  };
  patches.subscribe(settle);

  /**
   * Stops a run on which the server may still work, because the page gives it up. It waits for the answer to the request
   * that started the run.
   */
  const end = async ({ phase, run }: Phase): Promise<void> => {
    if (run === undefined || phase === "over") return;
    const { api, onEvent = noop, ...options } = current();
    try {
      await answerTo(run.id);
      await sendStop(runUrl(api, run.id), options);
    } catch (error) {
      if (!isGone(error)) callSubscriber(onEvent, { type: "stop_failed", error: inWords(error) });
    }
  };

  const actions: ObjectActions = {
    submit(input = null) {
      const body = JSON.stringify(input) ?? "null"; // a function has no JSON
      if (subscribers > 0) stored.claim();
      end(connection).catch(noop); // the options could not be made
      const id = randomDigits();
      stored.write(id);
      void read({ id, isResumed: false, isOpen: false }, { body });
    },
    stop() {
      end(connection).catch(noop);
      if (connection.phase === "reading" || connection.phase === "left")
        connection = { phase: "over", run: connection.run };
      patches.stop();
    },
    clear() {
      end(connection).catch(noop);
      connection = { phase: "none" };
      stored.write(undefined);
      patches.reset();
    },
  };

  /** The first subscriber has come: resumes the run of this page, or of the page before a reload. */
  const enter = (): void => {
    stored.claim();
    const id = stored.read();
    if (connection.phase === "left") void read(connection.run, { keepValue: true });
    else if (connection.phase === "none" && id !== undefined)
      void read({ id, isResumed: true, isOpen: false });
  };

  return {
    ...actions,
    join() {
      if (subscribers++ === 0) enter();
      let isPresent = true;
      return () => {
        if (!isPresent) return;
        isPresent = false;
        if (--subscribers > 0) return;
        stored.release();
        // A framework may subscribe again at once, as React does in StrictMode.
        queueMicrotask(() => {
          if (subscribers > 0 || connection.phase !== "reading") return;
          connection = { phase: "left", run: connection.run };
          patches.stop();
        });
      };
    },
  };
}

export function isActive(status: PatchStatus): boolean {
  return status === "connecting" || status === "streaming" || status === "reconnecting";
}

/** Whether the server may work on a run that failed here: its answer may be lost, though it has started the run. */
function mayContinue(error: unknown, { isOpen }: Run): boolean {
  return !(error instanceof ClientError) || error.code === "cut" || (error.code !== "run" && isOpen);
}

/** Whether the server has no run of this id, or does not keep runs. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { reason, status } = error;
  return reason === "unknown_run" || status === 404 || status === 405 || status === 410;
}
