import { noop } from "../../stream/core/result.js";
import { isContainer } from "../value.js";

/**
 * Whether two values are the same JSON. The order of keys and keys with `undefined` are ignored. Does not recurse,
 * because a patch may be nested deeply.
 *
 * It stops at the first difference. Kinds and lengths come first, and the keys of `a` last: a short `b` is compared
 * with a long `a` in a few steps, and the keys of a long one.
 *
 * @param pay called with `keys` and an object before its keys are counted. It may throw
 */
export function sameData(
  a: unknown,
  b: unknown,
  pay: (part: "keys", object: object) => void = noop,
): boolean {
  const open: Pair[] = [{ a: [a], b: [b], length: 1, next: 0 }];
  for (let pair = open.at(-1); pair !== undefined; pair = open.at(-1)) {
    const { keys, next } = pair;
    if (next === pair.length) {
      if (keys !== undefined && hasMore(pair.a, keys.length, pay)) return false;
      open.pop();
      continue;
    }
    pair.next++;
    const key = keys?.[next] ?? next;
    const [x, y] = [own(pair.a, key), own(pair.b, key)];
    if (x === y) continue;
    if (!isContainer(x) || !isContainer(y) || Array.isArray(x) !== Array.isArray(y)) return false;
    if (Array.isArray(y)) {
      if (y.length !== x.length) return false;
      open.push({ a: x, b: y, length: y.length, next: 0 });
    } else {
      const known = Object.keys(y).filter((name) => y[name] !== undefined);
      open.push({ a: x, b: y, length: known.length, next: 0, keys: known });
    }
  }
  return true;
}

/** Two containers of the same kind, of which some members are known to be the same. */
interface Pair {
  readonly a: object;
  readonly b: object;
  /** The keys of `b`, unless both are arrays. */
  readonly keys?: readonly string[];
  readonly length: number;
  next: number;
}

/** Whether the object has more members than so many. */
function hasMore(object: object, count: number, pay: (part: "keys", object: object) => void): boolean {
  let left = count;
  pay("keys", object);
  return Object.keys(object).some((key) => own(object, key) !== undefined && left-- === 0);
}

function own(object: object, key: string | number): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string | number, unknown>>)[key] : undefined;
}
