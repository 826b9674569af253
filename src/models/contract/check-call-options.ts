import { wholeNumber } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { CallOptions, Timeouts } from "./chat-model.js";

/** The options that an agent passes on to each model call. It sets the others itself. */
// prettier-ignore
export const agentCallOptionNames = {
  temperature: true, topP: true, maxTokens: true, stop: true, seed: true, toolChoice: true, parallelToolCalls: true,
  reasoning: true, extra: true, timeouts: true, maxRetries: true,
} as const;

// prettier-ignore
export const callOptionNames = {
  ...agentCallOptionNames, signal: true, tools: true, responseFormat: true,
} satisfies OptionNames<CallOptions>;

/** The names of the AI SDK, and what an agent sets itself. */
const hints = {
  signal: "It belongs to the run of the agent.",
  abortSignal: 'Write "signal".',
  maxOutputTokens: 'Write "maxTokens".',
  stopSequences: 'Write "stop".',
};

/**
 * @throws {TypeError} for an unknown option or an unknown timeout
 * @throws {RangeError} if `maxRetries` is not a whole number of at least 0
 */
export function checkCallOptions(
  subject: string,
  options: CallOptions = {},
  names: Readonly<Record<string, true>> = callOptionNames,
): void {
  checkOptions(subject, options, names, hints);
  checkCommonOptions(options);
}

/**
 * Checks the options that calls and models share.
 *
 * @throws {TypeError} for an unknown timeout
 * @throws {RangeError} if `maxRetries` is not a whole number of at least 0
 */
export function checkCommonOptions({
  timeouts = {},
  maxRetries,
}: Pick<CallOptions, "timeouts" | "maxRetries">): void {
  const names = { firstToken: true, idle: true, total: true } satisfies OptionNames<Timeouts>;
  checkOptions("timeouts", timeouts, names);
  wholeNumber("maxRetries", maxRetries ?? 0, 0);
}
