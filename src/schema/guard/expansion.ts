import { dereference, type Schema as ValidatorSchema } from "@cfworker/json-schema";
import { alternativeOf, anything, both, either, type Alternative } from "./alternative.js";
import { draftOf } from "../adapters/json-schema.js";
import { hasRules, rulesOf } from "./rules.js";
import type { JsonSchema } from "../schema.js";

type Keywords = Readonly<Record<string, unknown>>;

/** Expands the schemas of one document into lists of alternatives, on demand because schemas may be recursive. */
export class Expansion {
  /** A copy of the schema whose references are resolved. */
  readonly root: Keywords;
  private readonly byUri: Record<string, ValidatorSchema | boolean>;
  private readonly tuples: boolean;
  /** Before 2019-09, keywords beside a `$ref` are ignored. */
  private readonly refAlone: boolean;
  private readonly known = new Map<object, readonly Alternative[]>();
  private rules = 0;

  /** @throws {Error} if two schemas have the same `$id` */
  constructor(schema: JsonSchema) {
    const draft = draftOf(schema);
    this.tuples = draft !== "2020-12";
    this.refAlone = draft === "4" || draft === "7";
    this.root = structuredClone(schema);
    // Uses the validator's resolution, so a `$ref` means the same here and in the final check. It modifies its argument.
    this.byUri = dereference(this.root);
  }

  alternatives(schema: unknown): readonly Alternative[] {
    if (schema === false) return [];
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [anything];
    let result = this.known.get(schema);
    if (result !== undefined) return result;
    // A schema that refers to itself directly, not by way of a member or element, adds no rule.
    this.known.set(schema, [anything]);
    result = this.expand(schema as Keywords);
    this.known.set(schema, result);
    return result;
  }

  /** Whether the schema has `stream: mark`, itself or in a `$ref`, `allOf`, `anyOf` or `oneOf`. */
  isMarked(schema: unknown, mark: string, within: readonly object[] = []): boolean {
    if (typeof schema !== "object" || schema === null || within.includes(schema)) return false;
    const keywords = schema as Keywords;
    if (keywords["stream"] === mark) return true;
    const parts = [this.target(keywords), keywords["allOf"], keywords["anyOf"], keywords["oneOf"]].flat();
    return parts.some((part) => this.isMarked(part, mark, [...within, schema]));
  }

  private expand(schema: Keywords): readonly Alternative[] {
    const { $ref } = schema;
    const target = typeof $ref === "string" ? this.alternatives(this.target(schema)) : [anything];
    if (this.refAlone && $ref !== undefined) return target;
    const own = hasRules(schema) ? alternativeOf([rulesOf(schema, this.tuples, this.rules++)]) : anything;
    let result = both([own], target);
    for (const part of listOf(schema["allOf"])) result = both(result, this.alternatives(part));
    for (const union of [listOf(schema["anyOf"]), listOf(schema["oneOf"])]) {
      if (union.length > 0) result = both(result, either(union.map((part) => this.alternatives(part))));
    }
    return result;
  }

  /** The target of `$ref`. Without a target it is `undefined`, which allows any value. */
  private target(schema: Keywords): unknown {
    const uri = (schema as ValidatorSchema).__absolute_ref__;
    return uri === undefined ? undefined : this.byUri[uri];
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
