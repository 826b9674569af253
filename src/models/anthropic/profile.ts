import type { ModelProfile } from "../contract/chat-model.js";
import { type ProfileEntry, lookUpProfile } from "../contract/profile.js";

/** Derives the profile of a model from its name. */
export function anthropicProfile(model: string): ModelProfile {
  const profile = lookUpProfile(bare(model), entries, unknownModel);
  return takenBy(model).has("forced") ? profile : { ...profile, forcedToolChoice: false };
}

/** The call options that a model accepts. */
export function takenBy(model: string): ReadonlySet<string> {
  const name = bare(model);
  const { takes } = entries.find(({ names }) => names.test(name)) ?? unknownModel;
  return new Set(takes.split(" "));
}

/** Gateways and clouds add prefixes, as in `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
function bare(model: string): string {
  return /claude-.*/.exec(model)?.[0] ?? model;
}

interface ClaudeEntry extends ProfileEntry {
  /**
   * Accepted options: `effort` and `budget` (amount of thinking), `off` (no thinking; Anthropic also says `between`),
   * `sampling` (temperature and top_p), `forced` (a forced tool call). Options not known to be refused are left to
   * Anthropic.
   */
  readonly takes: string;
}

/** Most compatible servers support tools. Nothing else is assumed, but every requested option is sent. */
const unknownModel: Omit<ClaudeEntry, "names"> = {
  abilities: "tools",
  takes: "effort budget off sampling forced",
};

const all = "structured tools reasoning image file";
const unschemed = "tools reasoning image file";
const million = 1_000_000;

/** From Anthropic's model list and migration guides of November 2026. */
const entries: readonly ClaudeEntry[] = [
  {
    names: /^claude-(?:opus-5-5|(?:fable|mythos)-5-\d)/,
    abilities: all,
    takes: "effort",
    contextTokens: million,
    maxOutputTokens: 128_000,
  },
  {
    names: /^claude-sonnet-5-5/,
    abilities: all,
    takes: "effort between",
    contextTokens: million,
    maxOutputTokens: 128_000,
  },
  {
    names: /^claude-(?:fable|mythos)-/,
    abilities: all,
    takes: "effort sampling forced",
    contextTokens: million,
    maxOutputTokens: 128_000,
  },
  {
    names: /^claude-(?:(?:opus|sonnet|haiku)-5|opus-4-[78])/,
    abilities: all,
    takes: "effort off forced",
    contextTokens: million,
    maxOutputTokens: 128_000,
  },
  {
    names: /^claude-(?:opus|sonnet)-4-6/,
    abilities: all,
    takes: "effort budget off sampling forced",
    contextTokens: million,
    maxOutputTokens: 128_000,
  },
  {
    names: /^claude-(?:opus|sonnet|haiku)-4-5/,
    abilities: all,
    takes: "budget off sampling forced",
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
  },
  {
    names: /^claude-(?:sonnet-4|3-7-sonnet)/,
    abilities: unschemed,
    takes: "budget off sampling forced",
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
  },
  {
    names: /^claude-opus-4/,
    abilities: unschemed,
    takes: "budget off sampling forced",
    contextTokens: 200_000,
    maxOutputTokens: 32_000,
  },
  {
    names: /^claude-3-5/,
    abilities: "tools image file",
    takes: "sampling forced",
    contextTokens: 200_000,
    maxOutputTokens: 8_192,
  },
  {
    names: /^claude-3/,
    abilities: "tools image",
    takes: "sampling forced",
    contextTokens: 200_000,
    maxOutputTokens: 4_096,
  },
];
