import type { Modality, ModelProfile } from "./chat-model.js";

/** A row in a table of models. The first row whose names match applies. */
export type ProfileRow = readonly [
  names: RegExp,
  /** `structured`, `tools`, `reasoning`, `openThinking`, input besides text, and words of the provider. */
  abilities: string,
  contextTokens?: number,
  maxOutputTokens?: number,
  output?: readonly Modality[],
];

/** The profile for the name of a model. @param unknown the abilities of a model that is in no row */
export function lookUpProfile(name: string, rows: readonly ProfileRow[], unknown: string): ModelProfile {
  const has = abilitiesOf(name, rows, unknown);
  const [, , contextTokens, maxOutputTokens, output = ["text"]] = rowOf(name, rows) ?? [];
  return {
    structuredOutput: has.has("structured"),
    ...(has.has("structured") && has.has("tools") ? { structuredOutputWithTools: true } : undefined),
    toolCalling: has.has("tools"),
    reasoning: has.has("reasoning"),
    ...(has.has("openThinking") ? { openThinking: true } : undefined),
    input: ["text", ...media.filter((medium) => has.has(medium))],
    output,
    ...(contextTokens === undefined ? undefined : { contextTokens }),
    ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
  };
}

export function abilitiesOf(name: string, rows: readonly ProfileRow[], unknown: string): ReadonlySet<string> {
  return new Set((rowOf(name, rows)?.[1] ?? unknown).split(" "));
}

function rowOf(name: string, rows: readonly ProfileRow[]): ProfileRow | undefined {
  return rows.find(([names]) => names.test(name));
}

const media: readonly Modality[] = ["image", "audio", "video", "file"];
