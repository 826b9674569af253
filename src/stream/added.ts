/**
 * Appends an item to a list and returns the list. For the first item it returns a new array, because a literal reserves
 * room for one item and a push for seventeen. Most lists that are made for a token hold one item.
 */
export function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
