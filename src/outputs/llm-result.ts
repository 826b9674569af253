import type { Usage } from "../messages/usage.js";
import type { ChatGeneration } from "./chat-generation.js";
import type { ProviderOutput } from "./chat-result.js";
import type { Generation } from "./generation.js";
import { sameData } from "../json/patch/same-data.js";

/** What an `LLMResult` holds: plain data, such as `JSON.parse` gives it back. */
export interface LLMResultData<G extends Generation = ChatGeneration> {
  /** For each prompt, in order, its candidates. */
  readonly generations: readonly (readonly G[])[];
  readonly providerOutput?: ProviderOutput | undefined;
  /** One for each prompt, in order: what traces know the run by. */
  readonly runIds?: readonly string[] | undefined;
}

/**
 * What a model gave for several prompts. `generate()` makes one.
 *
 * It is plain data with a few methods: `JSON.stringify` writes it, `new LLMResult(JSON.parse(text))` reads it back.
 *
 * @example
 * ```ts
 * import { assistant, chatGeneration, LLMResult } from "millrace";
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

  /** What all of it has cost, as `providerOutput` says. The messages say what each of them did. */
  get usage(): Usage | undefined {
    return this.providerOutput?.usage;
  }

  /**
   * One result for each prompt, with its run id. The usage stays with the first of them only, so that the sum over all is
   * what was spent; all else that is known of the whole comes with each.
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

  /** Whether the other says the same: the same generations and provider output. Run ids differ from run to run. */
  equals(other: LLMResultData<Generation>): boolean {
    return (
      sameData(this.generations, other.generations) && sameData(this.providerOutput, other.providerOutput)
    );
  }
}
