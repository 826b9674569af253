import { getOrInsert } from "../../tree/made-once.js";
import { SchemaError } from "../errors.js";
import type { Resource, SchemaNode } from "./schema-node.js";

/**
 * The targets of dynamic references: for each name the first one on the way from the root. Scopes with the same targets
 * are the same object, so results can be kept for a scope.
 */
export class Scope {
  private readonly targets: ReadonlyMap<string, SchemaNode>;
  private readonly known: Map<string, Scope>;
  private readonly inner = new Map<Resource, Scope>();

  constructor(
    targets: ReadonlyMap<string, SchemaNode> = none,
    known: Map<string, Scope> = new Map<string, Scope>(),
  ) {
    this.targets = targets;
    this.known = known;
  }

  targetOf(name: string): SchemaNode | undefined {
    return this.targets.get(name);
  }

  enter(resource: Resource): Scope {
    if (resource.dynamicAnchors.size === 0) return this;
    return getOrInsert(this.inner, resource, () => this.find(resource));
  }

  private find({ dynamicAnchors }: Resource): Scope {
    const targets = new Map([...dynamicAnchors, ...this.targets]);
    if (targets.size === this.targets.size) return this;
    const id = JSON.stringify(
      [...targets].map(([name, node]) => [name, node.resource.uri, node.pointer]).sort(),
    );
    return getOrInsert(this.known, id, () => {
      if (this.known.size === MAX_SCOPES)
        throw new SchemaError("too_complex", `The schema has more than ${MAX_SCOPES} dynamic scopes.`);
      return new Scope(targets, this.known);
    });
  }
}

const MAX_SCOPES = 1_000;
const none: ReadonlyMap<string, SchemaNode> = new Map();
