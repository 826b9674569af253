import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { wordsIn } from "../../text/words-in.js";
import type { Refuse } from "./refuse.js";

/** How schemas are written for a provider. docs/protocols/provider-schemas.md shows the tables. */
export interface SchemaDialect {
  /** Continues "The schema of the tool "t" cannot be", for example `expressed for Gemini`. */
  readonly expressed: string;
  /** The end of that error for programmers: a way around it. */
  readonly advice?: string;
  readonly root?: (schema: JsonObject, refuse: Refuse) => JsonObject;
  readonly references?: ReferenceRules;
  /** Rewriting happens in the order of the table. */
  readonly keywords: Readonly<Record<string, KeywordRule>>;
  readonly others: Fate;
  readonly shape?: SchemaChange;
  /** Refuses the schema as a whole: what is sent, and what it was made from. */
  readonly check?: (written: JsonObject, from: JsonObject, refuse: Refuse) => void;
}

/**
 * - `kept`: sent, and the provider enforces it
 * - `ignored`: sent, but the provider does not enforce it
 * - `described`: moved to the description, where the model reads it
 * - `dropped`: not sent
 */
export type Fate = "kept" | "ignored" | "described" | "dropped";

export type KeywordRule = Fate | ChoiceRule | RewritingRule | RefusalRule;

export interface ChoiceRule {
  readonly if: (value: JsonValue, schema: JsonObject) => boolean;
  readonly words: string;
  readonly then: Fate;
  readonly otherwise: KeywordRule;
}

interface RewritingRule {
  readonly as: string;
  readonly rewrite: SchemaChange;
  readonly otherwise?: KeywordRule;
}

interface RefusalRule {
  readonly refused: true;
  /** Says more than that the keyword is not supported. */
  readonly problem?: string;
}

export type SchemaChange = (schema: JsonObject, pointer: string, refuse: Refuse) => JsonObject;

export interface ReferenceRules {
  /** Whether references may only point to definitions at the root. */
  readonly onlyDefinitions: boolean;
  /** The properties through which a schema may contain itself. */
  readonly cycles: "optional properties" | "none";
}

/** The schema is sent as it is, and nothing is enforced. */
export const unchanged: SchemaDialect = { expressed: "sent", keywords: {}, others: "ignored" };

/** `allOf` is merged into the schema that contains it. */
export const allOfJoined: KeywordRule = { as: "joined with the schema", rewrite: (schema) => schema };

export const readAsAnyOf: KeywordRule = { as: "read as `anyOf`", rewrite: (schema) => schema };

export const refused: KeywordRule = { refused: true };

/** A keyword that is kept for some values, or left out, because it says nothing there. */
export function ifSo(
  words: string,
  condition: ChoiceRule["if"],
  then: Fate,
  otherwise: KeywordRule,
): ChoiceRule {
  return { if: condition, words, then, otherwise };
}

/** Names of properties are always strings. Zod adds this keyword to each record. The guard checks other names. */
export const namesOfProperties: ChoiceRule = ifSo(
  '`{ type: "string" }`',
  (value) =>
    isObject(value) && Object.keys(value).every((key) => key === "type" && value["type"] === "string"),
  "dropped",
  "described",
);

/** The same rule for several keywords, separated by white space. */
export function each(keywords: string, rule: KeywordRule): Record<string, KeywordRule> {
  return Object.fromEntries(wordsIn(keywords).map((keyword) => [keyword, rule]));
}

/** Keywords that are no rules for values. */
export const annotations: Readonly<Record<string, KeywordRule>> = each(
  "$schema $id id $anchor $comment $vocabulary deprecated readOnly writeOnly",
  "dropped",
);

/** Keeps the listed formats. The pattern that Zod writes beside one of them is dropped. */
export function formatRules(
  patterns: string,
  isPlainPattern: (pattern: string) => boolean,
  formats: string,
): { readonly format: KeywordRule; readonly pattern: KeywordRule } {
  const known: ReadonlySet<JsonValue | undefined> = new Set(wordsIn(formats));
  const isKnown = (format: JsonValue | undefined): boolean => known.has(format);
  const covered = ifSo(
    "beside a format that is kept",
    (_, { format }) => isKnown(format),
    "dropped",
    "described",
  );
  return {
    format: ifSo(wordsIn(formats).join(", "), isKnown, "kept", "described"),
    pattern: ifSo(patterns, (value) => typeof value === "string" && isPlainPattern(value), "kept", covered),
  };
}

/** Follows the conditions of a rule to the fate of this value, or to its refusal. */
export function ruleFor(rule: KeywordRule, value: JsonValue, schema: JsonObject): Fate | RefusalRule {
  if (typeof rule === "string" || "refused" in rule) return rule;
  if ("if" in rule && rule.if(value, schema)) return rule.then;
  return ruleFor(rule.otherwise ?? "kept", value, schema);
}
