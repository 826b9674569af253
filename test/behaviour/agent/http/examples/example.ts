import type { AgentOptions } from "millrace";
import type { ModelAnswer } from "../conversation.js";

/** A conversation with an agent: what the model answers, and all that is said because of it. */
export interface Example {
  readonly name: string;
  readonly options: Omit<AgentOptions, "model">;
  /** What the model answers to each request. */
  readonly answers: readonly ModelAnswer[];
  /**
   * What each step adds to the conversation, in the words of `transcript.ts`. The request of a step has the question, and
   * all that the steps before it have added.
   */
  readonly conversation: readonly (readonly string[])[];
  /** The structured response. */
  readonly response?: unknown;
  /** What the run fails with. */
  readonly error?: object;
  /** Whether the schema goes to the provider, and the answer is text. Otherwise each schema is a tool. */
  readonly asText?: boolean;
}

export function says(content: string): ModelAnswer {
  return { content };
}

export function calls(id: string, name: string, args: object): ModelAnswer {
  return { toolCalls: [{ id, name, arguments: JSON.stringify(args) }] };
}
