import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { parentPointer, parsePointer } from "../../tree/pointer.js";
import type { OpenEnd } from "./open-end.js";

/** A place of a value that was selected, or one on the way to it. */
export interface SelectedPlace<Part> {
  readonly children: Map<string, SelectedPlace<Part>>;
  readonly watchers: Set<() => void>;
  /** The result of `select()` for this place, which returns it again. */
  part: Part | undefined;
}

/**
 * The selected places of a value, as a tree. It finds those that patches have changed: it follows the path of each
 * operation, and goes further down only where the value is another one. So the cost depends on the patches, not on the
 * number of places.
 */
export class SelectedPlaces<Part> {
  readonly #root: SelectedPlace<Part> = newPlace();
  /** Where operations have changed the value since `takeChanged()`. */
  #changes = new Set<string>();
  /** Containers that have got or lost a member. The elements of an array have moved from this index on. */
  #parents = new Map<string, number>();
  /** A place is looked at once after it got a watcher, because changes from before are not noted. */
  #entered = new Set<SelectedPlace<Part>>();

  /** Returns the place, and creates it if it is new. */
  at(keys: readonly string[]): SelectedPlace<Part> {
    let place = this.#root;
    for (const key of keys) {
      let child = place.children.get(key);
      if (child === undefined) place.children.set(key, (child = newPlace()));
      place = child;
    }
    return place;
  }

  /** Returns a function that removes the watcher, and the place if it has no other. */
  watch(keys: readonly string[], part: Part, watcher: () => void): () => void {
    const place = this.at(keys);
    place.part ??= part;
    place.watchers.add(watcher);
    this.#entered.add(place);
    return () => {
      place.watchers.delete(watcher);
      removeEmpty(this.#root, keys, 0);
    };
  }

  /** Notes what an operation has changed. */
  note(operation: AnyPatchOperation): void {
    const { op, path } = operation;
    if (op === "test" || this.#root.children.size === 0) return;
    this.#changes.add(path);
    if (op === "replace" || op === "append") return;
    this.#noteMember(path);
    if (op !== "move") return;
    this.#changes.add(operation.from);
    this.#noteMember(operation.from);
  }

  #noteMember(pointer: string): void {
    const parent = parentPointer(pointer);
    // NaN for `-`, which is after the elements that were there, or were there before others were removed.
    const index = Number(pointer.slice(parent.length + 1));
    const before = this.#parents.get(parent) ?? Infinity;
    this.#parents.set(parent, index < before ? index : before);
  }

  /**
   * Returns all places that may have changed. Their watchers may leave while others are called.
   *
   * @param ends the open ends of both values: where values become complete
   */
  takeChanged(
    before: JsonValue | undefined,
    after: JsonValue | undefined,
    ends: readonly OpenEnd[],
  ): Iterable<Pick<SelectedPlace<Part>, "watchers">> {
    const changes = this.#changes;
    const parents = this.#parents;
    const found = this.#entered;
    this.#changes = new Set();
    this.#parents = new Map();
    this.#entered = new Set();
    found.add(this.#root);
    for (const pointer of changes) {
      const [place, keys] = this.#follow(pointer, found);
      if (place !== undefined) addChanged(place, valueAt(before, keys), valueAt(after, keys), found);
    }
    for (const [pointer, index] of parents) {
      const [place, keys] = this.#follow(pointer, found);
      const array = valueAt(after, keys);
      if (place !== undefined && Array.isArray(array))
        addMoved(place, valueAt(before, keys), array, index, found);
    }
    for (const { pointer, within } of ends) {
      const [place] = this.#follow(pointer, found);
      if (place !== undefined && within) addAll(place, found);
    }
    return found;
  }

  /** Adds the places on the way. Returns the last one, if it is selected. */
  #follow(pointer: string, found: Set<SelectedPlace<Part>>): [SelectedPlace<Part> | undefined, string[]] {
    const keys = parsePointer(pointer);
    let place: SelectedPlace<Part> | undefined = this.#root;
    for (const key of keys) {
      place = place.children.get(key);
      if (place === undefined) break;
      found.add(place);
    }
    return [place, keys];
  }
}

function newPlace<Part>(): SelectedPlace<Part> {
  return { children: new Map(), watchers: new Set(), part: undefined };
}

/** Adds the places below whose value is another one. */
function addChanged<Part>(
  { children }: SelectedPlace<Part>,
  before: unknown,
  after: unknown,
  found: Set<SelectedPlace<Part>>,
): void {
  if (before === after) return;
  for (const [key, child] of children) addIfChanged(child, key, before, after, found);
}

/** Adds the places of elements that an operation at an index may have moved. */
function addMoved<Part>(
  place: SelectedPlace<Part>,
  before: unknown,
  after: readonly unknown[],
  index: number,
  found: Set<SelectedPlace<Part>>,
): void {
  const length = Array.isArray(before) ? before.length : 0;
  const start = Math.min(index, length);
  const end = Math.max(length, after.length);
  if (end - start > place.children.size) addChanged(place, before, after, found);
  else
    for (let i = start; i < end; i++) {
      const child = place.children.get(`${i}`);
      if (child !== undefined) addIfChanged(child, i, before, after, found);
    }
}

function addIfChanged<Part>(
  child: SelectedPlace<Part>,
  key: string | number,
  before: unknown,
  after: unknown,
  found: Set<SelectedPlace<Part>>,
): void {
  const old = member(before, key);
  const now = member(after, key);
  if (old === now) return;
  found.add(child);
  addChanged(child, old, now, found);
}

/** Members of prototypes are no changes: they are the same before and after. */
function member(value: unknown, key: string | number): unknown {
  return (Object(value) as Readonly<Record<string, unknown>>)[key];
}

function addAll<Part>({ children }: SelectedPlace<Part>, found: Set<SelectedPlace<Part>>): void {
  for (const child of children.values()) {
    found.add(child);
    addAll(child, found);
  }
}

/** Returns whether the place itself is empty now. */
function removeEmpty<Part>(place: SelectedPlace<Part>, keys: readonly string[], depth: number): boolean {
  const key = keys[depth];
  if (key !== undefined) {
    const child = place.children.get(key);
    if (child !== undefined && removeEmpty(child, keys, depth + 1)) place.children.delete(key);
  }
  return place.children.size === 0 && place.watchers.size === 0;
}
