import { isContainer, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { getOrInsert } from "../../tree/made-once.js";

/**
 * Numbers values. Two values have the same number exactly if they are equal in JSON Schema: the order of keys does not
 * count, and 0 equals -0. Each value is read once, whatever it is compared with.
 */
export class Canon {
  /** The numbers of scalars by value, and of containers by identity. */
  private readonly numbers = new Map<JsonValue, number>();
  private readonly byContent = new Map<string, number>();
  private next = 0;
  private readonly nextNumber = (): number => this.next++;

  numberOf(value: JsonValue): number {
    if (!isContainer(value)) return getOrInsert(this.numbers, value, this.nextNumber);
    // Inner values first, in a loop because values may be nested deeply.
    const open = [value];
    for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
      if (this.numbers.has(container)) open.pop();
      else {
        const inner = Object.values(container).filter(isContainer);
        const missing = inner.filter((part) => !this.numbers.has(part));
        if (missing.length === 0) this.numbers.set(container, this.numberOfContent(container));
        for (const part of missing) open.push(part);
      }
    }
    return this.numbers.get(value) as number;
  }

  private numberOfContent(container: JsonArray | JsonObject): number {
    const numberOf = (value: JsonValue): number => getOrInsert(this.numbers, value, this.nextNumber);
    const content = Array.isArray(container)
      ? `[${container.map(numberOf).join()}`
      : Object.entries(container)
          .map(([key, value]): [number, number] => [numberOf(key), numberOf(value)])
          .sort(([a], [b]) => a - b)
          .join();
    return getOrInsert(this.byContent, content, this.nextNumber);
  }
}
