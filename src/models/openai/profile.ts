import type { ModelProfile } from "../chat-model.js";

/** What the name of a model says that it can do. */
export function profileOf(model: string): ModelProfile {
  const name = model.replace(/^ft:/, "");
  return profiles.find(([pattern]) => pattern.test(name))?.[1] ?? unknownModel;
}

/**
 * Most servers that speak OpenAI's language know tools. Not all hold a model to a schema, and some refuse the request
 * then; so that is not counted on.
 */
const unknownModel: ModelProfile = {
  structuredOutput: false,
  toolCalling: true,
  reasoning: false,
  imageInput: false,
};

/** As of OpenAI's list of models in 2026. The first pattern that fits counts. */
const profiles: readonly (readonly [RegExp, ModelProfile])[] = [
  [/^(?:gpt-5(?!.*-chat)|o1(?!-mini|-preview)|o3(?!-mini)|o4)/, profile("structured tools reasoning images")],
  [/^o3-mini/, profile("structured tools reasoning")],
  [/^(?:gpt-4o-2024-05-13|chatgpt-4o)/, profile("tools images")],
  [/^(?:gpt-5|gpt-4\.1|gpt-4\.5|gpt-4o)/, profile("structured tools images")],
  [/^gpt-4-turbo/, profile("tools images")],
];

function profile(abilities: string): ModelProfile {
  const has = new Set(abilities.split(" "));
  return {
    structuredOutput: has.has("structured"),
    toolCalling: has.has("tools"),
    reasoning: has.has("reasoning"),
    imageInput: has.has("images"),
  };
}
