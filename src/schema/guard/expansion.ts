import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { getOrInsert } from "../../tree/made-once.js";
import { alternativeOf, anything, both, either, exceeds, type Alternative } from "./alternative.js";
import { hasRules, type Rules, rulesOf } from "./rules.js";
import type { FoundSchema, SchemaSource } from "./schema-source.js";

/** Expands the schemas of one document into lists of alternatives, on demand because schemas may be recursive. */
export class Expansion {
  readonly root: JsonObject | boolean;
  private readonly source: SchemaSource;
  private readonly known = new Map<unknown, readonly Alternative[]>();
  /** The rules by the text of their schema. Equal schemas share them, so the members of a union agree there. */
  private readonly byText = new Map<string, Rules>();
  private nextId = 0;
  private depth = 0;
  /** The number of schemas that were nested too deeply. */
  private cuts = 0;

  constructor(source: SchemaSource) {
    this.root = source.root;
    this.source = source;
  }

  alternatives(schema: unknown): readonly Alternative[] {
    if (schema === false) return [];
    let result = this.known.get(schema);
    if (result !== undefined) return result;
    const found = this.find(schema);
    if (found === undefined) return [anything];
    if (this.depth === MAX_DEPTH) {
      this.cuts++;
      return [anything];
    }
    // A schema that refers to itself directly, not by way of a member or element, adds no rule.
    this.known.set(schema, [anything]);
    this.depth++;
    result = this.expand(found);
    this.depth--;
    this.known.set(schema, result);
    return result;
  }

  /** Whether the schema has `stream: "required"`, itself or in a `$ref`, `allOf`, `anyOf` or `oneOf`. */
  isRequiredNow(schema: unknown): boolean {
    const schemas = new Set([schema]); // grows while it is read
    for (const each of schemas) {
      const found = this.find(each);
      if (found === undefined) continue;
      const { keywords, targets } = found;
      if (keywords["stream"] === "required") return true;
      for (const part of [...targets, keywords["allOf"], keywords["anyOf"], keywords["oneOf"]].flat()) {
        schemas.add(part);
      }
    }
    return false;
  }

  private find(schema: unknown): FoundSchema | undefined {
    return isObject(schema as JsonValue) ? this.source.find(schema as JsonObject) : undefined;
  }

  private expand(found: FoundSchema): readonly Alternative[] {
    const { keywords, targets, node } = found;
    const { cuts } = this;
    let result: readonly Alternative[] = [anything];
    let isInterpreted = found.isPartial === true;
    const narrow = (list: readonly Alternative[]): void => {
      isInterpreted ||= exceeds(result, list);
      result = both(result, list);
    };
    for (const part of [...targets, ...listOf(keywords["allOf"])]) narrow(this.alternatives(part));
    for (const union of [listOf(keywords["anyOf"]), listOf(keywords["oneOf"])]) {
      if (union.length === 0) continue;
      const members = union.map((part) => this.alternatives(part));
      const list = either(members);
      isInterpreted ||= list.includes(anything) && !members.some((member) => member.includes(anything));
      narrow(list);
    }
    const interpreted = isInterpreted || this.cuts > cuts ? node : undefined;
    if (interpreted === undefined && !hasRules(keywords)) return result;
    // The results for its parts serve the containers around it too.
    if (interpreted !== undefined) interpreted.shared = true;
    const create = (): Rules => rulesOf(keywords, this.source.dialect, this.nextId++, interpreted);
    return both([alternativeOf([found.isComparable ? this.byTextOf(keywords, create) : create()])], result);
  }

  private byTextOf(keywords: JsonObject, create: () => Rules): Rules {
    return getOrInsert(this.byText, JSON.stringify(keywords, withoutAnnotations), create);
  }
}

/** Leaves out the annotations. The values of `const` and `enum` are kept whole. */
function withoutAnnotations(this: unknown, key: string, value: JsonValue): unknown {
  if (key === "const" || key === "enum") return JSON.stringify(value);
  return typeof value === "string" && annotations.has(key) ? undefined : value;
}

const annotations: ReadonlySet<string> = new Set(["title", "description", "$comment"]);

/** How deep schemas may be nested that apply to one value. The final check reads deeper ones too. */
const MAX_DEPTH = 100;

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
