import { MillraceError } from "../errors.js";
import { mergeChunks, toAssistantMessage } from "../messages/merge/merge-chunks.js";
import type { AssistantMessage } from "../messages/message.js";
import type { MessagesInput } from "../messages/to-messages.js";
import { addUsage, type Usage } from "../messages/usage.js";
import { type ChatGeneration, chatGeneration } from "../outputs/chat-generation.js";
import { LLMResult } from "../outputs/llm-result.js";
import { abortable } from "../stream/operators/abortable.js";
import { batchInvoke } from "../stream/invoke.js";
import { last } from "../stream/collect.js";
import { mapAsync } from "../stream/operators/map-async.js";
import { wholeNumber } from "../stream/numbers.js";
import { onAbort } from "../stream/time/on-abort.js";
import { pipe } from "../stream/pipe.js";
import type { AnyExtra, CallOptions, ChatModel } from "./contract/chat-model.js";

/** The options of `generate()`: those of each call, and how many calls. */
export interface GenerateOptions<Extra = AnyExtra> extends CallOptions<Extra> {
  /** Candidates for each prompt, each a request of its own: 1, by default. (The same `seed` may give the same text.) */
  readonly n?: number | undefined;
  /** The most requests at the same time: 4, by default. */
  readonly concurrency?: number | undefined;
  /** Names the run of a prompt, counted from 0, for `runIds`. Default: there are none. */
  readonly createRunId?: ((prompt: number) => string) | undefined;
}

/**
 * Asks a model several prompts, for one or more candidates each. The result has them in the order of the prompts,
 * whichever is ready first; `providerOutput` says `provider`, `model` and, if any answer told it, the sum of the `usage`.
 *
 * The first failure ends it all: the other streams are closed, no other request is sent, and what had been finished comes
 * with the error. So does the signal, with `signal.reason` itself.
 *
 * @param inputs the prompts: each a text, a message, or an array of messages
 *
 * @throws {TypeError} if `inputs` is no array
 * @throws {RangeError} if `n` or `concurrency` is not a whole number of 1 or more
 * @throws {GenerateError} for the first request that failed, with its error as the `cause`
 *
 * @example
 * ```ts
 * import { generate } from "millrace";
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
  { n = 1, concurrency = 4, createRunId, signal, ...call }: GenerateOptions<Extra> = {},
): Promise<LLMResult> {
  if (!Array.isArray(inputs)) throw new TypeError("generate() takes an array of prompts.");
  wholeNumber("n of generate", n, 1);
  signal?.throwIfAborted();
  const generations: ChatGeneration[][] = inputs.map(() => []);
  const finished: FinishedGeneration[] = [];
  const running = new Set<AbortController>();
  // All fail with the same error, so that it does not matter which of them is heard first.
  const closeAll = (reason: unknown): void => {
    for (const stop of running) stop.abort(reason);
  };
  const stopListening =
    signal &&
    onAbort(signal, () => {
      closeAll(signal.reason);
    });

  const run = async ({ prompt, candidate }: Job): Promise<void> => {
    const stop = new AbortController(); // one each, as a model may listen to it, and Node warns of a leak at 11
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
    await batchInvoke(mapAsync(run), jobs(inputs.length, n), {
      concurrency,
      ...(signal === undefined ? undefined : { signal }),
    });
  } finally {
    stopListening?.();
  }
  const usage = usageOf(finished.map(({ generation }) => generation.message));
  return new LLMResult({
    generations,
    providerOutput: {
      provider: model.provider,
      model: model.model,
      ...(usage === undefined ? undefined : { usage }),
    },
    runIds: createRunId === undefined ? undefined : inputs.map((_, prompt) => createRunId(prompt)),
  });
}

/** A candidate that was there before another one failed. */
export interface FinishedGeneration {
  /** Both counted from 0. */
  readonly prompt: number;
  readonly candidate: number;
  readonly generation: ChatGeneration;
}

/** One of the requests of `generate()` failed. The `cause` is the error of its stream, such as a `ModelError`. */
export class GenerateError extends MillraceError<"request_failed"> {
  override readonly name: string = "GenerateError";
  /** Which of the prompts, from 0. */
  readonly prompt: number;
  /** Which of its candidates, from 0. */
  readonly candidate: number;
  /** What had been finished by then, and was paid for, in the order in which it came. */
  readonly finished: readonly FinishedGeneration[];

  constructor(prompt: number, candidate: number, finished: readonly FinishedGeneration[], cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super("request_failed", `Candidate ${candidate} of prompt ${prompt} failed: ${problem}`, { cause });
    this.prompt = prompt;
    this.candidate = candidate;
    this.finished = [...finished];
  }
}

interface Job {
  readonly prompt: number;
  readonly candidate: number;
}

function* jobs(prompts: number, n: number): Generator<Job> {
  for (let prompt = 0; prompt < prompts; prompt++) {
    for (let candidate = 0; candidate < n; candidate++) yield { prompt, candidate };
  }
}

function usageOf(messages: readonly AssistantMessage[]): Usage | undefined {
  let sum: Usage | undefined;
  for (const { usage } of messages) sum = addUsage(sum, usage);
  return sum;
}
