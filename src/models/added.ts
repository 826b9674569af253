/**
 * The list with one item more. The first is not pushed: an array that is pushed to takes room for seventeen, and most chunks of
 * a stream have one block.
 */
export function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
