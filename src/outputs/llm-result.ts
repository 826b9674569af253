import type { Usage } from "../messages/usage.js";
import type { ChatGeneration } from "./chat-generation.js";
import type { ProviderOutput } from "./chat-result.js";
import type { Generation } from "./generation.js";
import { sameData } from "../json/patch/same-data.js";

/** The data of an `LLMResult`, as JSON can hold it. */
export interface LLMResultData<G extends Generation = ChatGeneration> {
  /** The candidates for each prompt, in the order of the prompts. */
  readonly generations: readonly (readonly G[])[];
  readonly providerOutput?: ProviderOutput | undefined;
  /** One id for each prompt, in the order of the prompts, as used in traces. */
  readonly runIds?: readonly string[] | undefined;
}

/**
 * The answers of a model to several prompts, as returned by `generate()`.
 *
 * It is plain data with a few methods. `JSON.stringify` serializes it, and `new LLMResult(JSON.parse(text))` restores
 * it.
 *
 * @example
 * ```ts
 * import { assistant } from "millrace";
 * import { chatGeneration, LLMResult } from "millrace/models";
 *
 * const generations = [[chatGeneration(assistant("Oslo"))], [chatGeneration(assistant("Rome"))]];
 * const providerOutput = { usage: { totalTokens: 12 } };
 * const result = new LLMResult({ generations, providerOutput, runIds: ["a", "b"] });
 * for (const { generations, usage } of result.flatten()) console.log(generations[0]?.[0]?.text, usage);
 * console.log(result.equals({ generations, providerOutput, runIds: ["c", "d"] })); // true
 * ```
 */
export class LLMResult<G extends Generation = ChatGeneration> implements LLMResultData<G> {
  readonly generations: readonly (readonly G[])[];
  readonly providerOutput: ProviderOutput | undefined;
  readonly runIds: readonly string[] | undefined;

  constructor({ generations, providerOutput, runIds }: LLMResultData<G>) {
    this.generations = generations;
    this.providerOutput = providerOutput;
    this.runIds = runIds;
  }

  /** The total usage, from `providerOutput`. The messages have the usage of each answer. */
  get usage(): Usage | undefined {
    return this.providerOutput?.usage;
  }

  /**
   * Returns one result for each prompt, with its run id. Only the first result has the usage, so the sum over all
   * results is correct. The rest of `providerOutput` is in each result.
   */
  flatten(): LLMResult<G>[] {
    const { providerOutput, runIds } = this;
    const { usage: _, ...others } = providerOutput ?? {};
    const withoutUsage = Object.keys(others).length === 0 ? undefined : others;
    return this.generations.map((candidates, prompt) => {
      const runId = runIds?.[prompt];
      return new LLMResult({
        generations: [candidates],
        providerOutput: prompt === 0 ? providerOutput : withoutUsage,
        runIds: runId === undefined ? undefined : [runId],
      });
    });
  }

  /**
   * Whether the other result has equal generations and provider output. Run ids are ignored, as they differ for each
   * run.
   */
  equals(other: LLMResultData<Generation>): boolean {
    return (
      sameData(this.generations, other.generations) && sameData(this.providerOutput, other.providerOutput)
    );
  }
}
