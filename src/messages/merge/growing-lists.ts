import type { JsonValue } from "../../json/value.js";
import type { Metadata, MetadataDelta } from "../blocks/metadata.js";

/** Lists that are added to, and shown as they are at a moment. What is shown is copied when somebody looks at it. */
export class GrowingLists {
  private readonly lists = new Map<string, JsonValue[]>();

  add(delta: MetadataDelta): void {
    for (const [key, items] of Object.entries(delta)) {
      const list = this.lists.get(key);
      if (list === undefined) this.lists.set(key, [...items]);
      else for (const item of items) list.push(item);
    }
  }

  /** The metadata, and the lists in the place of what it says under their keys. */
  shownIn(metadata: Metadata | undefined): Metadata | undefined {
    if (this.lists.size === 0) return metadata;
    const shown = { ...metadata };
    for (const [key, list] of this.lists) showList(shown, key, list);
    return shown;
  }
}

/**
 * A copy for each snapshot would cost the square of the length. A property that makes its value when it is read is data like any
 * other to `JSON.stringify`, `structuredClone` and `{...spread}`.
 */
function showList(shown: object, key: string, list: readonly JsonValue[]): void {
  const { length } = list;
  const common = { enumerable: true, configurable: true };
  Object.defineProperty(shown, key, {
    ...common,
    get: () => {
      const value = list.slice(0, length);
      Object.defineProperty(shown, key, { ...common, value, writable: true });
      return value;
    },
  });
}
