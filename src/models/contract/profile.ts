import type { Modality, ModelProfile } from "./chat-model.js";

/** An entry in a table of models. The first entry whose `names` matches applies. */
export interface ProfileEntry {
  readonly names: RegExp;
  /** Any of `structured`, `tools`, `reasoning`, and accepted input besides text: `image`, `audio`, `video`, `file`. */
  readonly abilities: string;
  /** The kinds of content that the model produces. Default: text */
  readonly output?: readonly Modality[];
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
}

/** The profile for the name of a model. */
export function lookUpProfile(
  name: string,
  entries: readonly ProfileEntry[],
  unknownModel: Omit<ProfileEntry, "names">,
): ModelProfile {
  const entry = entries.find(({ names }) => names.test(name)) ?? unknownModel;
  const { abilities, output = ["text"], contextTokens, maxOutputTokens } = entry;
  const has = new Set(abilities.split(" "));
  return {
    structuredOutput: has.has("structured"),
    ...(has.has("structured") && has.has("tools") ? { structuredOutputWithTools: true } : undefined),
    toolCalling: has.has("tools"),
    reasoning: has.has("reasoning"),
    input: ["text", ...media.filter((medium) => has.has(medium))],
    output,
    ...(contextTokens === undefined ? undefined : { contextTokens }),
    ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens }),
  };
}

const media: readonly Modality[] = ["image", "audio", "video", "file"];
