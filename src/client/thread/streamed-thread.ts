import type {
  MessageView,
  ThreadProblem,
  ThreadStatus,
  ThreadView,
  ToolCallView,
} from "../../agent/views.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { ConnectOptions, PatchStoreOptions } from "../store/patch-store.js";
import type { ReadableStore } from "../store/readable-store.js";

/** The options of `createThreadClient()` and `useThread()`. */
export interface ThreadClientOptions
  extends PatchStoreOptions, Omit<ConnectOptions, "body" | "resume" | "signal" | "keepValue"> {
  /** The URL of a `threadHandler()`. The id is added to its query: `?thread=…`. */
  readonly api: string | URL;
  /** The id of the thread: 1 to 200 letters, digits, `-`, `_`, `.` or `~`. */
  readonly id: string;
}

/** The actions on a conversation. The functions work detached. */
export interface ThreadActions {
  /**
   * Sends a message. It is shown at once. If the server does not accept it, `unsent` has the text.
   *
   * @param files `data:` URLs in base64, or files, which are read
   */
  readonly send: (text: string, files?: readonly (string | Blob)[]) => void;
  /** Stops the answer. What was written stays. */
  readonly stop: () => void;
  /** Runs a call that waits, with other arguments if there are any. */
  readonly approve: (call: string, args?: JsonObject) => void;
  /** Does not run a call that waits, and tells the model why. */
  readonly reject: (call: string, message?: string) => void;
  /** Gives the result of a call that the page has run, of a `clientTool()`. */
  readonly answer: (call: string, result: JsonValue) => void;
  /** Continues an answer that was stopped, has failed or was lost. */
  readonly resume: () => void;
  /** Loads the conversation again. */
  readonly refresh: () => void;
}

/** A conversation, with its actions. Immutable: each change creates a new one. */
export interface StreamedThread<Structured = unknown> extends ThreadActions {
  readonly messages: readonly MessageView[];
  /**
   * That of the conversation (`idle`, `running`, `paused`, `stopped`, `failed`), or:
   *
   * - `loading`: it has not arrived yet
   * - `reconnecting`: the connection was lost, and is being restored
   */
  readonly status: ThreadStatus | "loading" | "reconnecting";
  /** Whether an answer is being written. */
  readonly isBusy: boolean;
  /** Why the answer failed, or the server refused or cannot be reached. `message` is for the user of your app. */
  readonly error: ThreadProblem | undefined;
  /** The calls that wait for a decision, or for a result of the page. */
  readonly pending: readonly ToolCallView[];
  /** The reason why the agent asks the model again, while it does. */
  readonly retry: ThreadView["retry"];
  readonly usage: ThreadView["usage"];
  /** The structured response so far, of the latest turn. */
  readonly object: DeepPartial<Structured> | undefined;
  readonly title: string;
  /** The text of a message that did not reach the conversation. */
  readonly unsent: string | undefined;
}

/** Holds a conversation. Created by `createThreadClient()`. */
export interface ThreadClient<Structured = unknown>
  extends ReadableStore<StreamedThread<Structured>>, ThreadActions {}
