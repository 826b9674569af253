import type { ModelProfile } from "../contract/chat-model.js";
import { abilitiesOf, lookUpProfile, type ProfileRow } from "../contract/profile.js";

export function anthropicProfile(model: string): ModelProfile {
  const profile = lookUpProfile(bare(model), rows, unknown);
  return takenBy(model).has("forced") ? profile : { ...profile, forcedToolChoice: false };
}

/**
 * The call options that a model accepts, among its abilities: `effort` and `budget` (amount of thinking), `off` (no
 * thinking; Anthropic also says `between`), `sampling` (temperature and top_p), `forced` (a forced tool call). Options
 * not known to be refused are left to Anthropic.
 */
export function takenBy(model: string): ReadonlySet<string> {
  return abilitiesOf(bare(model), rows, unknown);
}

/** Gateways and clouds add prefixes, as in `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
function bare(model: string): string {
  return /claude-.*/.exec(model)?.[0] ?? model;
}

/** Most compatible servers support tools. Nothing else is assumed, but every requested option is sent. */
const unknown = "tools effort budget off sampling forced";

const all = "structured tools reasoning image file";
const unschemed = "tools reasoning image file";
const million = 1_000_000;

/** From Anthropic's model list and migration guides of November 2026. */
const rows: readonly ProfileRow[] = [
  [/^claude-(?:opus-5-5|(?:fable|mythos)-5-\d)/, `${all} effort`, million, 128_000],
  [/^claude-sonnet-5-5/, `${all} effort between`, million, 128_000],
  [/^claude-(?:fable|mythos)-/, `${all} effort sampling forced`, million, 128_000],
  [/^claude-(?:(?:opus|sonnet|haiku)-5|opus-4-[78])/, `${all} effort off forced`, million, 128_000],
  [/^claude-(?:opus|sonnet)-4-6/, `${all} effort budget off sampling forced`, million, 128_000],
  [/^claude-(?:opus|sonnet|haiku)-4-5/, `${all} budget off sampling forced`, 200_000, 64_000],
  [/^claude-(?:sonnet-4|3-7-sonnet)/, `${unschemed} budget off sampling forced`, 200_000, 64_000],
  [/^claude-opus-4/, `${unschemed} budget off sampling forced`, 200_000, 32_000],
  [/^claude-3-5/, "tools image file sampling forced", 200_000, 8_192],
  [/^claude-3/, "tools image sampling forced", 200_000, 4_096],
];
