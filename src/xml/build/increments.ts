import type { XmlFrame } from "./xml-frame.js";
import { objectOf, type XmlItem, type XmlObject } from "../value.js";

/**
 * How many elements of its path an increment shares with the one before it: two `{list: [{item: […]}]}` may be about
 * one item or about two. Kept outside of the increment, which is only the path.
 */
const sharedLevels = new WeakMap<XmlObject, number>();

/**
 * Makes the increments of one document. A leaf of four characters in 900 elements makes 900 objects, so the paths are
 * paid from the text: a document that is deep and wide at once is refused.
 */
export class Increments {
  /** How many characters of the document have come before the last start tag ended. */
  received = 0;
  private readonly onLeaf: (increment: XmlObject) => void;
  /** The number of elements in all paths. */
  private levels = 0;
  /** How many elements around the last leaf are still open. */
  private shared = 0;

  constructor(onLeaf: (increment: XmlObject) => void) {
    this.onLeaf = onLeaf;
  }

  /** @param parents the elements around the leaf */
  leaf(leaf: XmlItem, parents: readonly XmlFrame[], depth: number): void {
    this.levels += depth;
    if (this.isTooMuch) return;
    let item = leaf;
    for (let i = depth - 1; i >= 0; i--) item = objectOf((parents[i] as XmlFrame).name, [item]);
    const increment = item as XmlObject;
    sharedLevels.set(increment, this.shared);
    this.shared = depth;
    this.onLeaf(increment);
  }

  /** Whether an increment was not made, because the text has not paid for its path. */
  get isTooMuch(): boolean {
    return this.levels > freeLevels + levelsPerCharacter * this.received;
  }

  /** After the end of an element. @param depth how many are still open */
  closed(depth: number): void {
    if (depth < this.shared) this.shared = depth;
  }
}

/** A level takes about 200 ns, as long as a character of usual XML. */
export const levelsPerCharacter = 16;
const freeLevels = 65_536;

/**
 * Adds an increment of `xmlParser().stream` or `onLeaf` to the sum of those before it. The sum of all is deeply equal
 * to the whole document; `{}` adds nothing. Neither object is changed, so each call copies the lists on the path: to
 * show a growing document, use `.snapshots` instead.
 *
 * An increment remembers whether it continues the element of the one before it. A serialised increment does not: it
 * continues wherever the names agree, so adjacent elements with the same name become one.
 *
 * @example
 * ```ts
 * import { collect, from, pipe, xmlParser } from "millrace";
 * import { addIncrements } from "millrace/xml";
 *
 * const xml = "<team><name>Ada</name><name>Grace</name></team>";
 * const increments = await collect(pipe(from([xml]), xmlParser().stream));
 * console.log(JSON.stringify(increments));
 * console.log(JSON.stringify(increments.reduce(addIncrements)));
 * ```
 *
 * ```text prints
 * [{"team":[{"name":"Ada"}]},{"team":[{"name":"Grace"}]}]
 * {"team":[{"name":"Ada"},{"name":"Grace"}]}
 * ```
 */
export function addIncrements(a: XmlObject, b: XmlObject): XmlObject {
  if (nameOf(a) === undefined) return b;
  const items: XmlItem[] = [a];
  if (nameOf(b) !== undefined) addItems(items, [b], sharedLevels.get(b) ?? Infinity);
  if (items.length > 1) return { ...a, ...b };
  const [sum] = items as [XmlObject];
  const before = sharedLevels.get(a);
  if (before !== undefined) sharedLevels.set(sum, before);
  return sum;
}

/** A loop, as documents may be deep. */
function addItems(items: XmlItem[], others: readonly XmlItem[], shared: number): void {
  for (let level = 0; ; level++) {
    const [last, first] = [items.at(-1), others[0]];
    const name = nameOf(last);
    const isSame = name !== undefined && level < shared && name === nameOf(first);
    const listOfLast = isSame && (last as XmlObject)[name];
    const listOfFirst = isSame && (first as XmlObject)[name];
    const continues = Array.isArray(listOfLast) && Array.isArray(listOfFirst);
    for (let i = continues ? 1 : 0; i < others.length; i++) items.push(others[i] as XmlItem);
    if (!continues) return;
    const inner = listOfLast.slice();
    items[items.length - others.length] = objectOf(name as string, inner);
    items = inner;
    others = listOfFirst;
  }
}

function nameOf(item: XmlItem | undefined): string | undefined {
  return typeof item === "object" ? Object.keys(item)[0] : undefined;
}
