import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { percentDecoded } from "../../text/url-credentials.js";
import { childPointer, isIndex, unescapeKey } from "../../tree/pointer.js";
import { SchemaError } from "../errors.js";
import { mapInside } from "../map-schema.js";
import { jsonExcerpt, kindsByName } from "../values.js";
import { draftOf, keywordOf, type Draft } from "./draft.js";
import { metaschemaOf } from "./metaschema.js";
import { Resource, SchemaNode, type Reference } from "./schema-node.js";

/**
 * The schemas of a document and the targets of their references. Only values of keywords that hold schemas are schemas,
 * so a property, default or example called `$id` or `$ref` has no meaning. The document is not changed.
 */
export class SchemaDocument {
  readonly root: SchemaNode;
  /** All schemas of the document. A boolean schema is not listed. */
  readonly nodes: SchemaNode[] = [];
  hasUnevaluated = false;
  /** Whether the target of a reference depends on the dynamic scope. */
  isDynamic = false;

  private readonly resources = new Map<string, Resource>();
  private readonly byObject = new Map<object, SchemaNode>();
  private visited = 0;

  /** @throws {SchemaError} `bad_schema` if a schema has a `type` that does not exist */
  constructor(schema: JsonObject) {
    this.root = this.addDocument(schema, noBase, "");
    this.root.shared = true;
    // A reference may lead to a place that no keyword leads to: it is indexed then, and the list grows.
    for (const node of this.nodes) node.references = this.referencesOf(node);
  }

  find(schema: object): SchemaNode | undefined {
    return this.byObject.get(schema);
  }

  /** The node of a schema inside another one; `undefined` if the value is not a schema. */
  inner(parent: SchemaNode, value: JsonValue | undefined, pointer: string): SchemaNode | undefined {
    if (typeof value === "boolean") return new SchemaNode(value, parent.resource, pointer);
    return isObject(value) ? this.add(value, parent.resource, pointer) : undefined;
  }

  private addDocument(schema: JsonObject, uri: string, pointer: string): SchemaNode {
    const around = new Resource(uri, draftOf(schema), schema, pointer);
    this.register(uri, around);
    const root = this.add(schema, around, pointer);
    // Many schemas write the id of another draft.
    for (const id of [schema["$id"], schema["id"]]) {
      if (typeof id === "string") this.register(resolve(splitFragment(id)[0], uri), root.resource);
    }
    this.visitNew();
    return root;
  }

  private add(schema: JsonObject, around: Resource, pointer: string): SchemaNode {
    let node = around.nodes.get(schema);
    if (node !== undefined) return node;
    const draft = draftOf(schema, around.draft);
    const id = keywordOf(schema, draft === 4 ? "id" : "$id", draft);
    const [uri, fragment] = splitFragment(typeof id === "string" ? id : "");
    if (uri !== "") {
      const resource = new Resource(resolve(uri, around.uri), draft, schema, pointer);
      this.register(resource.uri, resource);
      node = resource.root;
      resource.nodes.set(schema, node);
    } else node = around.root.schema === schema ? around.root : new SchemaNode(schema, around, pointer);
    around.nodes.set(schema, node);
    // Before 2019-09, an id with a fragment is an anchor.
    if (draft < 2019 && fragment !== "") setFirst(node.resource.anchors, fragment, node);
    setFirst(this.byObject, schema, node);
    this.nodes.push(node);
    return node;
  }

  private register(uri: string, resource: Resource): void {
    setFirst(this.resources, uri, resource);
  }

  /** Indexes what is inside the schemas that were added. A loop, because schemas may be nested deeply. */
  private visitNew(): void {
    while (this.visited < this.nodes.length) this.visit(this.nodes[this.visited++] as SchemaNode);
  }

  private visit(node: SchemaNode): void {
    const { resource, pointer } = node;
    const schema = node.schema as JsonObject;
    const { draft } = resource;
    for (const name of [keywordOf(schema, "type", draft)].flat()) {
      if (name !== undefined && !kindsByName.has(name)) throw badType(name, pointer);
    }
    this.addAnchors(node, schema, draft);
    if ("unevaluatedProperties" in schema || "unevaluatedItems" in schema) this.hasUnevaluated = true;
    mapInside(
      schema,
      (inner, at) => {
        this.add(inner, resource, at);
        return inner;
      },
      pointer,
    );
  }

  private addAnchors(node: SchemaNode, schema: JsonObject, draft: Draft): void {
    const { anchors, dynamicAnchors } = node.resource;
    const anchor = keywordOf(schema, "$anchor", draft);
    if (typeof anchor === "string") setFirst(anchors, anchor, node);
    const dynamicAnchor = keywordOf(schema, "$dynamicAnchor", draft);
    if (typeof dynamicAnchor === "string") {
      setFirst(anchors, dynamicAnchor, node);
      setFirst(dynamicAnchors, dynamicAnchor, node);
      node.shared = true;
    }
    if (node === node.resource.root && keywordOf(schema, "$recursiveAnchor", draft) === true) {
      setFirst(dynamicAnchors, "", node);
      node.shared = true;
    }
  }

  private referencesOf({ schema, resource }: SchemaNode): Reference[] {
    return ["$ref", "$dynamicRef", "$recursiveRef"].flatMap((keyword) => {
      const uri = keywordOf(schema as JsonObject, keyword, resource.draft);
      if (typeof uri !== "string") return [];
      const target = this.lookUp(uri, resource);
      if (target !== undefined) target.shared = true;
      const name = keyword === "$dynamicRef" ? splitFragment(uri)[1] : "";
      const isDynamic =
        keyword !== "$ref" && target?.resource.dynamicAnchors.get(name) === target && target !== undefined;
      if (isDynamic) this.isDynamic = true;
      return [{ keyword, uri, target, dynamicName: isDynamic ? name : undefined }];
    });
  }

  private lookUp(reference: string, base: Resource): SchemaNode | undefined {
    const [uri, fragment] = splitFragment(reference);
    const resource = uri === "" ? base : this.resourceAt(resolve(uri, base.uri));
    if (resource === undefined || fragment === "") return resource?.root;
    return fragment.startsWith("/") ? this.follow(resource, fragment) : resource.anchors.get(fragment);
  }

  private resourceAt(uri: string): Resource | undefined {
    const known = this.resources.get(uri);
    if (known !== undefined) return known;
    const metaschema = metaschemaOf(uri);
    return metaschema === undefined ? undefined : this.addDocument(metaschema, uri, `${uri}#`).resource;
  }

  /** The schema at a JSON Pointer, also if no keyword leads there. */
  private follow(from: Resource, fragment: string): SchemaNode | undefined {
    let resource = from;
    let value: JsonValue | undefined = from.root.schema;
    let { pointer } = from.root;
    for (const part of fragment.slice(1).split("/")) {
      const key = unescapeKey(part);
      if (Array.isArray(value)) value = isIndex(key) ? value[Number(key)] : undefined;
      else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      if (isObject(value)) resource = resource.nodes.get(value)?.resource ?? resource;
      pointer = childPointer(pointer, key);
    }
    const node = this.inner(resource.root, value, pointer);
    this.visitNew();
    return node;
  }
}

function badType(name: JsonValue, pointer: string): SchemaError {
  return new SchemaError(
    "bad_schema",
    `Expected a type such as "string" at ${pointer}/type, but got ${jsonExcerpt(name)}.`,
  );
}

/** The first of two equal names counts. */
function setFirst<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (!map.has(key)) map.set(key, value);
}

/** The base of a document without an id. Relative references resolve against it. */
const noBase = "json-schema:/";

/** Resolves a reference against a base. Returns it unchanged if it cannot be resolved. */
function resolve(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

function splitFragment(reference: string): [uri: string, fragment: string] {
  const at = reference.indexOf("#");
  return at < 0 ? [reference, ""] : [reference.slice(0, at), percentDecoded(reference.slice(at + 1))];
}
