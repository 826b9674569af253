import type { Modality, ModelProfile } from "./chat-model.js";

/** One line of a table of models: which names it is about, and what these can do. The first line that fits counts. */
export interface ProfileEntry {
  readonly names: RegExp;
  /** Of `structured`, `tools`, `reasoning`; and what it reads besides text: `image`, `audio`, `video`, `file`. */
  readonly abilities: string;
  /** What it writes. Default: text. */
  readonly output?: readonly Modality[];
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
}

/** What the name of a model says that it can do. */
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
    toolCalling: has.has("tools"),
    reasoning: has.has("reasoning"),
    input: ["text", ...media.filter((medium) => has.has(medium))],
    output,
    ...(contextTokens === undefined ? undefined : { contextTokens: contextTokens }),
    ...(maxOutputTokens === undefined ? undefined : { maxOutputTokens: maxOutputTokens }),
  };
}

const media: readonly Modality[] = ["image", "audio", "video", "file"];
