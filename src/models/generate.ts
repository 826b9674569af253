import { MillraceError } from "../errors.js";
import { mergeChunks, toAssistantMessage } from "../messages/merge/merge-chunks.js";
import type { MessagesInput } from "../messages/to-messages.js";
import { addUsage } from "../text/add-usage.js";
import { type ChatGeneration, chatGeneration } from "../outputs/chat-generation.js";
import { LLMResult } from "../outputs/llm-result.js";
import { abortable } from "../stream/operators/abortable.js";
import { batchInvoke } from "../stream/invoke.js";
import { last } from "../stream/collect.js";
import { mapAsync } from "../stream/operators/map-async.js";
import type { OptionNames } from "../text/check-options.js";
import { wholeNumber } from "../text/check-number.js";
import { onAbort } from "../stream/time/on-abort.js";
import { messageOf } from "../text/excerpt.js";
import { pipe } from "../stream/pipe.js";
import type { AnyExtra, CallOptions, ChatModel } from "./contract/chat-model.js";
import { callOptionNames, checkCallOptions, checkModel } from "./contract/check-call-options.js";

/** The options of `generate()`: the options of each call, and the number of calls. */
export interface GenerateOptions<Extra = AnyExtra> extends CallOptions<Extra> {
  /**
   * Number of candidates for each prompt. Each is a separate request, and the same `seed` may produce the same text.
   * Default: 1
   */
  readonly n?: number | undefined;
  /** Maximum number of concurrent requests. Default: 4 */
  readonly concurrency?: number | undefined;
  /** Creates the entry of `runIds` for a prompt, counted from 0. Default: `runIds` is absent */
  readonly createRunId?: ((prompt: number) => string) | undefined;
}

// prettier-ignore
const optionNames = {
  ...callOptionNames, n: true, concurrency: true, createRunId: true,
} satisfies OptionNames<GenerateOptions>;

/**
 * Sends several prompts to a model and collects one or more candidates for each. The result keeps the order of the
 * prompts. `providerOutput` contains `provider`, `model` and, if the model reported it, the total `usage`.
 *
 * The first failure closes the other streams and sends no further requests. The error contains the finished candidates.
 * An aborted signal does the same, and rejects with `signal.reason`.
 *
 * @param inputs the prompts: each is a text, a message, or an array of messages
 *
 * @throws {TypeError} for anything but a model, if `inputs` is not an array, and for an unknown option
 * @throws {RangeError} if `n` or `concurrency` is not a whole number of 1 or more
 * @throws {GenerateError} if a request fails; its `cause` is the error of that request
 *
 * @example
 * ```ts
 * import { generate } from "millrace/models";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(({ index }) => [`answer ${index}`]);
 * const { generations } = await generate(model, ["One?", "Two?"], { n: 2 });
 * console.log(generations.map((candidates) => candidates.map(({ text }) => text)));
 * ```
 */
export async function generate<Extra = AnyExtra>(
  model: ChatModel<Extra>,
  inputs: readonly MessagesInput[],
  options: GenerateOptions<Extra> = {},
): Promise<LLMResult> {
  checkModel("generate()", model);
  checkCallOptions("generate()", options as CallOptions, optionNames);
  const { n = 1, concurrency = 4, createRunId, signal, ...call } = options;
  if (!Array.isArray(inputs))
    throw new TypeError("generate() expects an array of prompts. Wrap a single prompt in an array.");
  wholeNumber("n of generate", n, 1);
  signal?.throwIfAborted();
  const generations: ChatGeneration[][] = inputs.map(() => []);
  const finished: FinishedGeneration[] = [];
  const running = new Set<AbortController>();
  // All requests fail with the same error, so it does not matter which rejection arrives first.
  const closeAll = (reason: unknown): void => {
    for (const stop of running) stop.abort(reason);
  };
  const stopListening =
    signal &&
    onAbort(signal, () => {
      closeAll(signal.reason);
    });

  const run = async (job: number): Promise<void> => {
    const [prompt, candidate] = [Math.floor(job / n), job % n];
    const stop = new AbortController(); // One per request: Node warns of a leak when a signal has 11 listeners.
    running.add(stop);
    try {
      const stream = model.stream(inputs[prompt] as MessagesInput, { ...call, signal: stop.signal });
      const message = await last(pipe(stream, abortable(stop.signal), mergeChunks()));
      const generation = chatGeneration(message ?? toAssistantMessage());
      (generations[prompt] as ChatGeneration[])[candidate] = generation;
      finished.push({ prompt, candidate, generation });
    } catch (cause) {
      if (!stop.signal.aborted) closeAll(new GenerateError(prompt, candidate, finished, cause));
      throw stop.signal.reason as Error;
    } finally {
      running.delete(stop);
    }
  };
  try {
    await batchInvoke(mapAsync(run), Array(inputs.length * n).keys(), {
      concurrency,
      ...(signal && { signal }),
    });
  } finally {
    stopListening?.();
  }
  const usages = finished.map(({ generation }) => generation.message.usage);
  const usage = usages.reduce((sum, added) => addUsage(sum, added), undefined);
  return new LLMResult({
    generations,
    providerOutput: { provider: model.provider, model: model.model, ...(usage && { usage }) },
    runIds: createRunId === undefined ? undefined : inputs.map((_, prompt) => createRunId(prompt)),
  });
}

/** A candidate that finished before another one failed. */
export interface FinishedGeneration {
  /** Index of the prompt, from 0. `candidate` also counts from 0. */
  readonly prompt: number;
  readonly candidate: number;
  readonly generation: ChatGeneration;
}

/** A request of `generate()` failed. The `cause` is the error of its stream, such as a `ModelError`. */
export class GenerateError extends MillraceError<"request_failed"> {
  override readonly name: string = "GenerateError";
  /** Index of the prompt, from 0. */
  readonly prompt: number;
  /** Index of the candidate, from 0. */
  readonly candidate: number;
  /** The candidates that had finished, in order of completion. They have been paid for. */
  readonly finished: readonly FinishedGeneration[];

  constructor(prompt: number, candidate: number, finished: readonly FinishedGeneration[], cause: unknown) {
    const problem = messageOf(cause);
    super("request_failed", `Candidate ${candidate} of prompt ${prompt} failed: ${problem}`, { cause });
    this.prompt = prompt;
    this.candidate = candidate;
    this.finished = [...finished];
  }
}
