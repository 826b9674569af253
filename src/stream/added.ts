/**
 * The list with one item more. The first is not pushed: an array that is made with its items takes what they need, one that is
 * pushed to takes room for seventeen, and most lists on the way of a token have one.
 */
export function added<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
