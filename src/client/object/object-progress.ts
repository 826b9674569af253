import { isContainer, type JsonObject } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import type { PatchState } from "../store/patch-state.js";
import { isCompleteIn, openEndIn } from "../store/patch-store.js";

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

/**
 * A class: V8 would keep the getters of an object literal, and the value with them, until a full collection.
 *
 * A server may send a value of any depth: nothing recurses, and no pointer is read for each level.
 */
export class Progress implements ObjectProgress {
  readonly #state: PatchState<unknown>;

  constructor(state: PatchState<unknown>) {
    this.#state = state;
  }

  readonly isComplete = (pointer: string): boolean => isCompleteIn(this.#state, pointer);

  get characters(): number {
    const { value } = this.#state;
    try {
      return JSON.stringify(value)?.length ?? 0;
    } catch {
      // Too deep for the platform, which is ten times as fast as the following.
    }
    let length = 0;
    const values: unknown[] = [value];
    // The list grows: what is inside a container is written by itself, and as 0 where it is.
    for (const value of values) {
      const text = JSON.stringify(value, (_, child: unknown) =>
        child === value ? child : (values.push(child), length--, 0),
      );
      length += text.length;
    }
    return length;
  }

  get items(): number {
    let items = 0;
    this.#visit((value, way) => {
      if (!Array.isArray(value)) return isContainer(value);
      // Arrays grow at their end, so the elements before the open one are complete.
      items += value.length - +way.startsWith(`/${value.length - 1}/`);
      return false;
    });
    return items;
  }

  get complete(): string[] {
    const pointers: string[] = [];
    this.#visit((value, way, pointer) => {
      if (!way) pointers.push(pointer);
      return isContainer(value);
    });
    return pointers;
  }

  /** @param visit called for each value, from the start on; returns whether to visit what is inside */
  #visit(visit: (...place: ArrivedPart) => boolean): void {
    const { pointer: end, within } = openEndIn(this.#state);
    const places: ArrivedPart[] = [[this.#state.value, this.isComplete("") ? "" : `${end}/`, ""]];
    for (let place: ArrivedPart | undefined; (place = places.pop()) !== undefined;) {
      const [value, way, pointer] = place;
      // At an end without order, all that is inside is open.
      if ((!within || way !== "/") && visit(...place))
        for (const [key, child] of Object.entries(value as JsonObject).reverse()) {
          const step = childPointer("", key);
          places.push([child, way.startsWith(`${step}/`) ? way.slice(step.length) : "", pointer + step]);
        }
    }
  }
}

/**
 * A value; the rest of the way to the open end, which ends with `/`, or an empty text if the value is complete; and its
 * pointer.
 */
type ArrivedPart = readonly [value: unknown, way: string, pointer: string];
