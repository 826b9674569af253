import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Check } from "../keywords/keywords.js";
import type { Draft } from "./draft.js";

/** A schema at its place in a document, with what is known of it before values are checked. */
export class SchemaNode {
  readonly schema: JsonObject | boolean;
  readonly resource: Resource;
  /** The place in the document: a JSON Pointer. */
  readonly pointer: string;
  /** Whether a reference leads here, so that the same value may be checked again: results are kept. */
  shared = false;
  references: readonly Reference[] = [];
  /** Made on first use. */
  program: Program | undefined;

  constructor(schema: JsonObject | boolean, resource: Resource, pointer: string) {
    this.schema = schema;
    this.resource = resource;
    this.pointer = pointer;
  }
}

/** A schema with its own id and all schemas in it that have none (a "schema resource"). */
export class Resource {
  readonly uri: string;
  readonly draft: Draft;
  readonly root: SchemaNode;
  /** Also has the roots of the resources inside. */
  readonly nodes: Map<object, SchemaNode> = new Map<object, SchemaNode>();
  readonly anchors: Map<string, SchemaNode> = new Map<string, SchemaNode>();
  /** The targets of dynamic references by name. That of `$recursiveAnchor` has the name "". */
  readonly dynamicAnchors: Map<string, SchemaNode> = new Map<string, SchemaNode>();

  constructor(uri: string, draft: Draft, schema: JsonObject | boolean, pointer: string) {
    this.uri = uri;
    this.draft = draft;
    this.root = new SchemaNode(schema, this, pointer);
  }
}

/** A `$ref`, `$dynamicRef` or `$recursiveRef`. */
export interface Reference {
  readonly keyword: string;
  readonly uri: string;
  /** `undefined` if the reference leads nowhere. */
  readonly target: SchemaNode | undefined;
  /** The name that the dynamic scope may bind to another target. */
  readonly dynamicName: string | undefined;
}

/** The compiled keywords of a schema. */
export interface Program {
  readonly checks: readonly Check[];
  readonly applicators: readonly Applicator[];
  /** The kinds of value that an applicator applies to, as flags of `Kind`. */
  readonly kinds: number;
}

/** The children of an applicator that must match: `all`, those that the first one selects (`condition`), or so many. */
export type Quantifier = "all" | "condition" | { readonly min: number; readonly max: number };

/** A keyword that applies other schemas, its children, to the value or to parts of it. */
export interface Applicator {
  readonly keyword: string;
  /** The kinds of value that the keyword applies to, as flags of `Kind`. */
  readonly kinds: number;
  readonly quantifier: Quantifier;
  /** The parts that a match evaluates, for `unevaluated…`: this `part`, those of the child (`same`), or `none`. */
  readonly marks: "part" | "same" | "none";
  /** The number of children to ask for. */
  size(cursor: Cursor): number;
  /** Selects a child: returns its schema and sets `part` and `key`. `undefined` without a child at this index. */
  select(cursor: Cursor, index: number): SchemaNode | undefined;
}

/** The evaluation of one schema on one value, as its applicators see it. */
export interface Cursor {
  readonly value: JsonValue;
  readonly keys: readonly string[];
  /** How many children of the current applicator have matched. */
  readonly matched: number;
  /** The members and elements that a keyword has matched. */
  readonly evaluated: ReadonlySet<string | number> | undefined;
  /** The value that the selected child applies to. */
  part: JsonValue;
  /** The key or index of `part` in the value; `undefined` for the value itself. */
  key: string | number | undefined;
  /** The target of a reference in the current dynamic scope. */
  follow(reference: Reference): SchemaNode;
}
