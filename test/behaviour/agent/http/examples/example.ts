import type { AgentOptions } from "millrace";
import type { ModelAnswer } from "../conversation.js";

/**
 * A line of a conversation, as `transcript.ts` writes it. A `RegExp` matches a text whose wording this package decides.
 */
export type Line = string | RegExp;

/** A conversation with an agent. */
export interface Example {
  readonly name: string;
  readonly options: Omit<AgentOptions, "model">;
  /** The answer of the model to each request. */
  readonly answers: readonly ModelAnswer[];
  /**
   * The lines that each step adds to the conversation. The request of a step has the question and the lines of all
   * steps before it.
   */
  readonly conversation: readonly (readonly Line[])[];
  /** The structured response. */
  readonly response?: unknown;
  /** The error that ends the run. */
  readonly error?: object;
  /** Whether the response comes as text with the provider strategy. Otherwise each schema is a tool. */
  readonly asText?: boolean;
}

export function says(content: string): ModelAnswer {
  return { content };
}

export function calls(id: string, name: string, args: object): ModelAnswer {
  return { toolCalls: [{ id, name, arguments: JSON.stringify(args) }] };
}
