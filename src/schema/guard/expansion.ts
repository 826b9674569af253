import type { JsonObject, JsonValue } from "../../json/value.js";
import type { KeywordDialect } from "../keywords/dialect.js";
import { knownKeywords } from "../interpreter/draft.js";
import type { SchemaDocument } from "../interpreter/schema-document.js";
import type { SchemaNode } from "../interpreter/schema-node.js";
import { alternativeOf, anything, both, either, exceeds, type Alternative } from "./alternative.js";
import { hasRules, isPartial, type Rules, rulesOf } from "./rules.js";

/** Expands the schemas of one document into lists of alternatives, on demand because schemas may be recursive. */
export class Expansion {
  readonly root: SchemaNode["schema"];
  private readonly document: SchemaDocument;
  private readonly dialect: KeywordDialect;
  private readonly interprets: boolean;
  private readonly known = new Map<object, readonly Alternative[]>();
  /** The rules by the text of their schema. Equal schemas share them, so the members of a union agree there. */
  private readonly byText = new Map<string, Rules>();
  private nextId = 0;
  private depth = 0;
  /** The number of schemas that were nested too deeply. */
  private cuts = 0;

  /** @param interprets whether the interpreter checks the keywords that alternatives cannot express */
  constructor(document: SchemaDocument, dialect: KeywordDialect, interprets: boolean) {
    this.dialect = dialect;
    this.root = document.root.schema;
    this.document = document;
    // The target of a dynamic reference depends on the path to it, which is not known here.
    this.interprets = interprets && !document.isDynamic;
  }

  alternatives(schema: unknown): readonly Alternative[] {
    if (schema === false) return [];
    const node = this.nodeOf(schema);
    if (node === undefined) return [anything];
    let result = this.known.get(node);
    if (result !== undefined) return result;
    if (this.depth === MAX_DEPTH) {
      this.cuts++;
      return [anything];
    }
    // A schema that refers to itself directly, not by way of a member or element, adds no rule.
    this.known.set(node, [anything]);
    this.depth++;
    result = this.expand(node);
    this.depth--;
    this.known.set(node, result);
    return result;
  }

  /** Whether the schema has `stream: mark`, itself or in a `$ref`, `allOf`, `anyOf` or `oneOf`. */
  isMarked(schema: unknown, mark: string): boolean {
    const schemas = new Set([schema]); // grows while it is read
    for (const each of schemas) {
      const node = this.nodeOf(each);
      if (node === undefined) continue;
      const keywords = keywordsOf(node);
      if (keywords["stream"] === mark) return true;
      const parts = [...targetsOf(node), keywords["allOf"], keywords["anyOf"], keywords["oneOf"]];
      for (const part of parts.flat()) schemas.add(part);
    }
    return false;
  }

  private nodeOf(schema: unknown): SchemaNode | undefined {
    return typeof schema === "object" && schema !== null ? this.document.find(schema) : undefined;
  }

  private expand(node: SchemaNode): readonly Alternative[] {
    const keywords = keywordsOf(node);
    const { cuts } = this;
    let result: readonly Alternative[] = [anything];
    let isInterpreted = isPartial(keywords);
    const narrow = (list: readonly Alternative[]): void => {
      isInterpreted ||= exceeds(result, list);
      result = both(result, list);
    };
    for (const part of [...targetsOf(node), ...listOf(keywords["allOf"])]) narrow(this.alternatives(part));
    for (const union of [listOf(keywords["anyOf"]), listOf(keywords["oneOf"])]) {
      if (union.length === 0) continue;
      const members = union.map((part) => this.alternatives(part));
      const list = either(members);
      isInterpreted ||= list.includes(anything) && !members.some((member) => member.includes(anything));
      narrow(list);
    }
    isInterpreted = (isInterpreted || this.cuts > cuts) && this.interprets;
    if (!isInterpreted && !hasRules(keywords)) return result;
    // The results for its parts serve the containers around it too.
    if (isInterpreted) node.shared = true;
    return both([alternativeOf([this.rulesOf(node, keywords, isInterpreted)])], result);
  }

  private rulesOf(node: SchemaNode, keywords: JsonObject, isInterpreted: boolean): Rules {
    const create = (): Rules =>
      rulesOf(keywords, this.dialect, this.nextId++, isInterpreted ? node : undefined);
    // References are relative to the resource. The texts of a large document would take much memory.
    if (node.resource !== this.document.root.resource || this.document.nodes.length > MAX_COMPARED) {
      return create();
    }
    const text = JSON.stringify(keywords, withoutAnnotations);
    let rules = this.byText.get(text);
    if (rules === undefined) this.byText.set(text, (rules = create()));
    return rules;
  }
}

/** In a document with more schemas, they are not compared. */
const MAX_COMPARED = 1_000;

/** Leaves out the annotations. The values of `const` and `enum` are kept whole. */
function withoutAnnotations(this: unknown, key: string, value: JsonValue): unknown {
  if (key === "const" || key === "enum") return JSON.stringify(value);
  return typeof value === "string" && annotations.has(key) ? undefined : value;
}

const annotations: ReadonlySet<string> = new Set(["title", "description", "$comment"]);

/** How deep schemas may be nested that apply to one value. The final check reads deeper ones too. */
const MAX_DEPTH = 100;

/** The keywords that the draft of the schema knows. */
function keywordsOf({ schema, resource }: SchemaNode): JsonObject {
  return knownKeywords(schema as JsonObject, resource.draft);
}

/** The targets of references. One whose target depends on the path from the root allows any value here. */
function targetsOf({ references }: SchemaNode): (JsonValue | undefined)[] {
  return references.map(({ target, dynamicName }) =>
    dynamicName === undefined ? target?.schema : undefined,
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
