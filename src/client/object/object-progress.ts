import { isContainer, type JsonValue, isObject } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";

/** How far an object has arrived. Each figure is computed when it is read. */
export interface ObjectProgress {
  /** The length of the object as JSON text. */
  readonly characters: number;
  /** The number of complete elements of its outermost arrays. */
  readonly items: number;
  /** The JSON Pointers of all values that can no longer change, from the start of the object on. */
  readonly complete: readonly string[];
  /** Whether the value at a JSON Pointer can no longer change. */
  readonly isComplete: (pointer: string) => boolean;
}

/** @param isComplete of the store that holds the value */
export function progressOf(value: unknown, isComplete: (pointer: string) => boolean): ObjectProgress {
  return new Progress(value as JsonValue | undefined, isComplete);
}

/** A class: V8 would keep the getters of an object literal, and the value with them, until a full collection. */
class Progress implements ObjectProgress {
  readonly #root: JsonValue | undefined;
  readonly isComplete: (pointer: string) => boolean;

  constructor(root: JsonValue | undefined, isComplete: (pointer: string) => boolean) {
    this.#root = root;
    this.isComplete = isComplete;
  }

  get characters(): number {
    return JSON.stringify(this.#root)?.length ?? 0;
  }

  get items(): number {
    return this.#root === undefined ? 0 : itemsIn(this.#root, "", this.isComplete);
  }

  get complete(): string[] {
    const pointers: string[] = [];
    if (this.#root !== undefined) addComplete(pointers, this.#root, "", this.isComplete);
    return pointers;
  }
}

type IsComplete = (pointer: string) => boolean;

function itemsIn(value: JsonValue, pointer: string, isComplete: IsComplete): number {
  if (Array.isArray(value)) {
    let length = value.length;
    // Arrays grow at their end, so the elements before a complete one are complete too.
    while (length > 0 && !isComplete(childPointer(pointer, length - 1))) length--;
    return length;
  }
  let items = 0;
  for (const [key, child] of isObject(value) ? Object.entries(value) : [])
    items += itemsIn(child, childPointer(pointer, key), isComplete);
  return items;
}

function addComplete(pointers: string[], value: JsonValue, pointer: string, isComplete: IsComplete): void {
  if (isComplete(pointer)) {
    pointers.push(pointer);
    isComplete = () => true; // so is all of it
  }
  if (!isContainer(value)) return;
  for (const [key, child] of Object.entries(value))
    addComplete(pointers, child, childPointer(pointer, key), isComplete);
}
