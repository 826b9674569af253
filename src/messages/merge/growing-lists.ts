import type { JsonValue } from "../../json/value.js";
import type { Metadata, MetadataDelta } from "../blocks/metadata.js";

/** Lists that grow, with snapshots. A snapshot copies a list when the list is read. */
export class GrowingLists {
  private readonly lists = new Map<string, JsonValue[]>();

  add(delta: MetadataDelta): void {
    for (const [key, items] of Object.entries(delta)) {
      const list = this.lists.get(key);
      if (list === undefined) this.lists.set(key, [...items]);
      else for (const item of items) list.push(item);
    }
  }

  shownIn(metadata: Metadata | undefined): Metadata | undefined {
    if (this.lists.size === 0) return metadata;
    const shown = { ...metadata };
    for (const [key, list] of this.lists) showList(shown, key, list);
    return shown;
  }
}

/** A getter, as copying each list for each snapshot would cost the square of its length. Spread and JSON read it. */
export function showList(shown: object, key: string, list: readonly unknown[]): void {
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
