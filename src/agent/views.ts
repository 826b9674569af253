import type { JsonObject, JsonValue } from "../json/value.js";
import type { Usage } from "../messages/usage.js";

// What a page shows of an agent: the types that servers and pages share.

/** A model call, as readers see it. */
export interface StepView {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCallView[];
}

/** A tool call, as readers see it. */
export interface ToolCallView {
  readonly id: string;
  readonly name: string;
  /** The arguments so far; `null` before they begin. */
  readonly args: JsonValue;
  /** `called`: the model writes the call, or the tool waits for its turn. */
  readonly status: "called" | "running" | "paused" | "done" | "failed";
  /** The latest progress that the tool reported; `null` without any, and after its end. */
  readonly progress: JsonValue;
  /** The text that the model gets; `null` before the end. */
  readonly result: string | null;
}

/**
 * - `idle`: the agent has answered, or there is no message yet
 * - `running`: a turn runs, or its process has died
 * - `paused`: calls wait for a decision
 * - `stopped`: the user has stopped the answer
 * - `failed`: the turn ended with an error
 */
export type ThreadStatus = "idle" | "running" | "paused" | "stopped" | "failed";

/** Why a turn failed. */
export interface ThreadProblem {
  readonly code: string;
  /** For the user of an app. */
  readonly message: string;
}

/** A conversation, as a page shows it: plain JSON data. Each change is a patch. */
export interface ThreadView {
  readonly title: string;
  readonly status: ThreadStatus;
  readonly messages: readonly MessageView[];
  /** The structured response of the latest turn so far; `null` before it begins, and without a `responseFormat`. */
  readonly object: JsonValue;
  /** Why the latest turn failed, in words for the user; `null` otherwise. */
  readonly error: ThreadProblem | null;
  /** Why the agent asks the model again, while it does; `null` otherwise. */
  readonly retry: (ThreadProblem & { readonly attempt: number }) | null;
  /** The tokens of all turns; `null` before the first. */
  readonly usage: Usage | null;
}

/** A message on a page. */
export type MessageView = UserMessageView | AssistantMessageView;

/** A message of the user. */
export interface UserMessageView {
  readonly id: string;
  readonly role: "user";
  readonly text: string;
  readonly media: readonly MediaView[];
}

/** What the model wrote in one step, and the tools that it called. */
export interface AssistantMessageView extends StepView {
  readonly id: string;
  readonly role: "assistant";
  /** Images and files that the model or its tools made. */
  readonly media: readonly MediaView[];
  /** Whether the answer is being written, or was cut. */
  readonly partial: boolean;
}

/** An image, or another file. */
export interface MediaView {
  readonly type: "image" | "audio" | "video" | "file";
  /** An address, or a `data:` URL. */
  readonly url: string;
  readonly mimeType: string | null;
}

/** A request of a page to a conversation: the body of its `POST`. */
export type ThreadRequest =
  | {
      readonly type: "send";
      readonly text?: string;
      /** Files as `data:` URLs in base64. */
      readonly media?: readonly { readonly url: string }[];
      /** The number of messages that the page shows. With another number, the server refuses with `conflict`. */
      readonly seen?: number;
    }
  | { readonly type: "approve"; readonly call: string; readonly args?: JsonObject }
  | { readonly type: "reject"; readonly call: string; readonly message?: string }
  | { readonly type: "answer"; readonly call: string; readonly result: JsonValue }
  | { readonly type: "resume" };
