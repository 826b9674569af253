import type { MessageChunk } from "../../../messages/chunk.js";
import type { Message } from "../../../messages/message.js";
import { ModelError } from "../../../models/contract/errors.js";
import { wholeNumber } from "../../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../../text/check-options.js";
import { isInstance } from "../../../text/thrown.js";
import { madeOnce } from "../../../tree/made-once.js";
import { invalidOptions } from "../../errors.js";
import type { Middleware } from "../middleware.js";
import type { Detectors } from "./detector.js";
import { ChunkRedactor } from "./redact-chunks.js";
import { redactMessage } from "./redact-message.js";
import { type RedactAction, replacement, type Replace, Replacer } from "./replacement.js";

/** The options of `redactText()`. */
export interface RedactTextOptions {
  /** What to find, by names: `{ email, card, ip }`, and functions of your own. */
  readonly detectors: Detectors;
  /**
   * What to do with a match:
   *
   * - `mask`: write the name of the detector in its place, such as `[email]`
   * - `hash`: the same with a keyed hash, such as `[email:9f86d081884c]`, so equal texts stay equal
   * - `block`: end the run with an `AgentError` of the code `blocked`
   * - a function: write what it returns
   *
   * Default: `mask`.
   */
  readonly action?: RedactAction;
  /** Where to redact: in the messages to the model, and in what comes from it. Default: both. */
  readonly directions?: readonly RedactDirection[];
  /** The key of hashes. Set it to get the same hashes in another process. Default: a random key. */
  readonly secret?: string;
}

/** `input`: from the run to the model. `output`: from the model to the run. */
export type RedactDirection = "input" | "output";

const optionNames = {
  detectors: true,
  action: true,
  directions: true,
  secret: true,
} satisfies OptionNames<RedactTextOptions>;

/**
 * Redacts personal data on its way to the model and back: the texts, reasoning, tool arguments, tool results and
 * structured responses, while they stream. The matches are those of the whole text, however it is cut into chunks: what
 * may become a match is withheld, at most three times the length of the longest match of a detector.
 *
 * Messages are redacted in the call only: the state of the run keeps what the user wrote and what tools returned. What
 * the model writes is redacted before anybody sees it, so it is so in the events, in the state, and for tools.
 *
 * @throws {AgentError} `invalid_options` without detectors, or for an unknown action or direction
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { email, redactText } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Write to bo", "b@example.c", "om today."]);
 * const agent = createAgent({ model, middleware: [redactText({ detectors: { email } })] });
 * for await (const event of agent.stream("I am ada@example.com. Whom do I ask?")) {
 *   if (event.type === "text") console.log(JSON.stringify(event.delta));
 * }
 * console.log(model.calls[0]?.messages[0]?.content);
 * ```
 *
 * ```text prints
 * "Write to "
 * "[email] "
 * "today."
 * [ { type: 'text', text: 'I am [email]. Whom do I ask?' } ]
 * ```
 */
export function redactText(options: RedactTextOptions): Middleware {
  checkOptions("redactText()", options, optionNames);
  const { detectors, action = "mask", directions = ["input", "output"], secret } = options;
  if (directions.length === 0 || !directions.every((it) => it === "input" || it === "output"))
    throw invalidOptions('The directions of redactText() are "input" and "output".');
  const named = Array.isArray(detectors) ? [] : Object.entries<Partial<Detectors>[string]>(detectors ?? {});
  if (named.length === 0 || !named.every(([, detector]) => typeof detector === "function"))
    throw invalidOptions("redactText() needs detectors by their names, such as { email, card, ip }.");
  for (const [name, detector] of named)
    wholeNumber(`maxLength of the detector ${name}`, detector?.maxLength ?? 1, 1);
  const replace = replacement(action, secret);
  const redacted = madeOnce((message: Message) => redactMessage(message, detectors, replace));
  return {
    name: "redactText",
    async *aroundModel(call, next) {
      const input = directions.includes("input")
        ? await Promise.all(call.messages.map(redacted))
        : call.messages;
      const chunks = next({ ...call, messages: input });
      if (!directions.includes("output")) yield* chunks;
      else yield* redactedChunks(chunks, detectors, replace, call.responseFormat !== undefined);
    },
  };
}

async function* redactedChunks(
  chunks: AsyncIterable<MessageChunk>,
  detectors: Detectors,
  replace: Replace,
  structured: boolean,
): AsyncGenerator<MessageChunk, void, undefined> {
  const replacer = new Replacer(detectors, replace);
  const redactor = new ChunkRedactor(replacer, structured ? "json" : "prose");
  const checked = (): void => {
    if (replacer.failure !== undefined) throw replacer.failure.error;
  };
  try {
    for await (const chunk of chunks) {
      const redacted = await redactor.add(chunk);
      if (redacted !== undefined) yield redacted;
      checked();
    }
  } catch (error) {
    throw await withRedactedPartial(error, detectors, replace);
  }
  const rest = await redactor.end();
  if (rest !== undefined) yield rest;
  checked();
}

/** An error of a model has the message that was received so far. What was withheld is not shown. */
async function withRedactedPartial(error: unknown, detectors: Detectors, replace: Replace): Promise<unknown> {
  if (!isInstance(error, ModelError) || error.partial === undefined) return error;
  const { code, message, cause, ...details } = error;
  return new ModelError(code, message, {
    ...details,
    cause,
    partial: await redactMessage(error.partial, detectors, replace).catch(() => undefined),
  });
}
