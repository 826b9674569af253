import { wholeNumber } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { kindName } from "../../text/kind-name.js";
import { hasMethod } from "../../text/thrown.js";
import type { CallOptions, Timeouts, ChatModel } from "./chat-model.js";
import { invalidRequest } from "./errors.js";

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

/** @throws {TypeError} for anything else, also a name: the caller does not load models */
export function checkModel(subject: string, model: unknown): void {
  if (hasMethod(model, "stream")) return;
  const example = 'await initModel("openai:gpt-6.1-terra")';
  throw new TypeError(`${subject} expects a model, such as ${example}, but got ${kindName(model)}.`);
}

export function checkCallOptions(
  subject: string,
  options: CallOptions = {},
  names: Readonly<Record<string, true>> = callOptionNames,
): void {
  checkOptions(subject, options, names, hints);
  checkCommonOptions(options);
}

export function checkCommonOptions({
  timeouts = {},
  maxRetries,
}: Pick<CallOptions, "timeouts" | "maxRetries">): void {
  const names = { firstToken: true, idle: true, total: true } satisfies OptionNames<Timeouts>;
  checkOptions("timeouts", timeouts, names);
  wholeNumber("maxRetries", maxRetries ?? 0, 0);
}

/** @param toolForm the name of its form in the `forms` of a tool; absent if it runs none */
export function checkServerTools(
  { tools = [], extra }: Pick<CallOptions, "tools" | "extra">,
  { provider, model }: Pick<ChatModel, "provider" | "model">,
  toolForm?: string,
): void {
  for (const { name, forms } of tools) {
    if (forms === undefined || (toolForm !== undefined && Object.hasOwn(forms, toolForm))) continue;
    const known = Object.keys(forms).join(", ");
    throw invalidRequest(
      `${model} (${provider}) does not support the server tool "${name}", which has a form for ${known}.`,
    );
  }
  if (Array.isArray(extra?.["tools"]))
    throw invalidRequest("Pass tools that the provider runs as tools: [serverTool({ … })], not in extra.");
}
