import { isBelow, parsePointer, pointerTo } from "../../tree/pointer.js";
import { isContainer, isObject, type JsonObject, type JsonValue, valueAt, valuesIn } from "../value.js";
import { WorkBudget } from "../../tree/work-budget.js";
import { checkOperation } from "./check-patch.js";
import { GrowingValue } from "./growing-value.js";
import { generous, measurePatch, measureValue } from "./measure-value.js";
import { checkPatchArray, JsonPatchError } from "./patch-error.js";
import type { AnyPatchOperation } from "./patch.js";

/** The keys that lead to a place, from the root down. */
type PlaceKeys = readonly string[];

/**
 * - `turns`: applies operations in turn. Otherwise each place that changed is set once, as it is after the patch
 * - `append`: lets a string grow. Otherwise the whole string is set
 * - `shift`: inserts and removes elements anywhere in a list. Otherwise only the next element is set
 * - `remove`: removes a member of an object
 * - `move`: knows `move`, `copy` and `test`
 */
type Ability = "turns" | "append" | "shift" | "remove" | "move";

/** All of RFC 6902, which has no `append`. */
export const rfcAbilities: ReadonlySet<Ability> = new Set<Ability>(["turns", "shift", "remove", "move"]);

/** Keys that many clients refuse in a path. */
export const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** What a client can do with the value that it shows. */
export interface ForeignClient {
  /** The name in errors. */
  readonly name: string;
  readonly can: ReadonlySet<Ability>;
  /** For a client that cannot set the whole document: the operations that lead from one to the other. */
  readonly root?: (before: JsonValue | undefined, after: JsonValue) => readonly AnyPatchOperation[];
  /** Whether it refuses a key in a path. */
  readonly refusesKey?: (key: string, around: string | undefined) => boolean;
  /** Whether it refuses an object for its keys. */
  readonly refusesValue?: (object: JsonObject) => boolean;
  /** Setting `null` removes, so a member that is `null` is set with its container. */
  readonly nullRemoves?: boolean;
}

/**
 * Converts patches to operations that a client can apply, with the same value after each patch. What the client cannot
 * do becomes a `replace` of the nearest container around it that it can set. This includes a key that it refuses in a
 * path, such as `__proto__`. `refused` is thrown if there is no such container, or the client refuses the key in a
 * value too.
 *
 * For a client that neither shifts lists nor removes, `[{ op: "add", path: "/steps/0", value: "Boil" }]` becomes
 * `[{ op: "replace", path: "/steps", value: ["Boil", "Pour"] }]`, once for all operations of the patch in that list.
 */
export class Projection {
  private readonly client: ForeignClient;
  private readonly budget = new WorkBudget(generous);
  private readonly shown = new GrowingValue(undefined, this.budget);

  constructor(client: ForeignClient) {
    this.client = client;
  }

  next(patch: readonly AnyPatchOperation[]): readonly AnyPatchOperation[] {
    const { client, budget, shown } = this;
    const operations: AnyPatchOperation[] = [];
    /** By their pointers, the places that are set after the operations. */
    const places = new Map<string, PlaceKeys>();
    const settle = (index: number): void => {
      for (const operation of settingsOf(client, places.values(), shown.value)) {
        if ("value" in operation) {
          payContainer(budget, operation.value, index);
          shown.share(operation.value);
        }
        operations.push(operation);
      }
      places.clear();
    };
    checkPatchArray(patch);
    budget.receive(measurePatch(patch));
    for (const [index, operation] of patch.entries()) {
      for (const step of this.stepsOf(operation, index)) {
        const keys = parsePointer(step.path);
        // A value that leaves or reaches a refused key changes two places, which may shift each other.
        const place =
          "from" in step && isRefused(client, step) ? [] : settablePlace(client, step.op, keys, shown.value);
        const path = place.at(-1) === keys.at(-1) ? step.path : pointerTo(place);
        if (!client.can.has("turns") || place.length < keys.length) places.set(pointerTo(place), place);
        else if (!places.has(path) && !isBelow(path, places)) operations.push({ ...step, path });
      }
      shown.apply([operation]);
      // The next operation may move these places.
      if (client.can.has("shift") && places.size > 0) settle(index);
    }
    settle(patch.length - 1);
    if (client.refusesValue !== undefined) checkValues(client, operations);
    return operations;
  }

  /** An immutable value: the next patch changes a copy. */
  snapshot(): JsonValue | undefined {
    return this.shown.snapshot();
  }

  /** The same change, in operations that the client knows. One that does not fit is refused when it is applied. */
  private stepsOf(operation: AnyPatchOperation, index: number): readonly AnyPatchOperation[] {
    const { client, shown } = this;
    const { op, path } = operation;
    if (op === "test") return client.can.has("move") && !isRefused(client, operation) ? [operation] : [];
    if (op === "append" && !client.can.has("append")) {
      const text = valueAt(shown.value, parsePointer(path));
      return typeof text === "string"
        ? this.put({ ...operation, op: "replace", value: text + operation.value })
        : [];
    }
    if (op === "remove") return [operation];
    if (!("from" in operation)) return this.put(operation);
    const { from } = operation;
    const isRefusedMove =
      op === "move" && path !== "" && client.can.has("shift") && isRefused(client, operation);
    if (client.can.has("move") || isRefusedMove) return [operation];
    const found = valueAt(shown.value, parsePointer(from));
    if (found === undefined) return [];
    payContainer(this.budget, found, index);
    shown.share(found);
    const added = { op: "add", path, value: found } as const;
    checkOperation(added, index);
    return op === "copy" || path === "" ? this.put(added) : [{ op: "remove", path: from }, added];
  }

  private put(operation: Extract<AnyPatchOperation, { value: JsonValue }>): readonly AnyPatchOperation[] {
    const { root } = this.client;
    return operation.path === "" && root !== undefined
      ? root(this.shown.value, operation.value)
      : [operation];
  }
}

/**
 * The place to set after an operation without `from`, for which the client has the place itself, or a container around
 * it.
 *
 * @param before the value before the operation
 */
export function settablePlace(
  client: ForeignClient,
  op: AnyPatchOperation["op"],
  keys: PlaceKeys,
  before: JsonValue | undefined,
): PlaceKeys {
  if (client.can.has("shift") || keys.length === 0 || (op !== "add" && op !== "remove"))
    return accepted(client, keys);
  const parent = keys.slice(0, -1);
  const around = valueAt(before, parent);
  if (op === "remove")
    return accepted(client, Array.isArray(around) || !client.can.has("remove") ? parent : keys);
  if (!Array.isArray(around)) return accepted(client, keys);
  const end = String(around.length);
  return accepted(client, keys.at(-1) === "-" || keys.at(-1) === end ? [...parent, end] : parent);
}

/**
 * The operations that set these places to what the value has there, each once.
 *
 * @throws {JsonPatchError} `refused` for the whole document, if the client cannot set it
 */
export function settingsOf(
  client: ForeignClient,
  places: Iterable<PlaceKeys>,
  value: JsonValue | undefined,
): readonly AnyPatchOperation[] {
  const found = new Map<string, PlaceKeys>();
  for (const place of places) {
    let keys = place;
    while (client.nullRemoves === true && keys.length > 0 && valueAt(value, keys) === null)
      keys = keys.slice(0, -1);
    found.set(pointerTo(keys), keys);
  }
  const operations: AnyPatchOperation[] = [];
  for (const [path, keys] of found) {
    if (isBelow(path, found)) continue;
    if (path === "" && client.root !== undefined) throw refusal(client, "in the document");
    const it = valueAt(value, keys);
    if (it !== undefined) operations.push({ op: "replace", path, value: it });
    else if (client.nullRemoves === true) operations.push({ op: "replace", path, value: null });
    else if (client.can.has("remove")) operations.push({ op: "remove", path });
  }
  return operations;
}

/**
 * Pays for a container that a client is sent again. A string that grows is not charged, as a client that cannot append
 * has no other way.
 *
 * @throws {JsonPatchError} `max_work`
 */
export function payContainer(budget: WorkBudget, value: JsonValue, index: number): void {
  if (isContainer(value) && !budget.pays(measureValue(value, budget.room).length))
    throw new JsonPatchError("max_work", budget.problem, index);
}

/** The place, or the nearest one around it whose path the client accepts. */
function accepted(client: ForeignClient, keys: PlaceKeys): PlaceKeys {
  const refused = keys.findIndex((key, i) => client.refusesKey?.(key, keys[i - 1]));
  return refused < 0 ? keys : keys.slice(0, refused);
}

function isRefused(client: ForeignClient, operation: AnyPatchOperation): boolean {
  const pointers = "from" in operation ? [operation.path, operation.from] : [operation.path];
  return pointers.map(parsePointer).some((keys) => accepted(client, keys) !== keys);
}

/** @throws {JsonPatchError} `refused` for keys that the client refuses in a value */
function checkValues(client: ForeignClient, operations: readonly AnyPatchOperation[]): void {
  for (const value of operations.flatMap((it) => ("value" in it ? valuesIn(it.value) : []))) {
    if (isObject(value) && client.refusesValue?.(value) === true) throw refusal(client, "in a value");
  }
}

function refusal({ name }: ForeignClient, where: string): JsonPatchError {
  return new JsonPatchError("refused", `${name} cannot set a key that is ${where}, such as "__proto__".`, -1);
}
