import type { JsonObject } from "../value.js";
import type { MemberPattern } from "./member-pattern.js";

/**
 * The keys of documents, and what was learnt about each. The parsers of one `jsonParser()` share them: without
 * that, "64 KB of orders, again and again" takes 10 % longer, and an open stream 0.8 KB more.
 */
export class KnownKeys {
  /** Stands for the key of the root, which has none. */
  readonly root: KnownKey = new KnownKey("", true);
  private readonly known = new Map<string, KnownKey>();

  /** Whether no further keys are learnt: the keys of a map are not worth it. */
  get isFull(): boolean {
    return this.known.size === maxKnown;
  }

  /** @param sibling the key before it, for a key that was not known */
  get(key: string, sibling: KnownKey): KnownKey {
    const found = this.known.get(key);
    if (found !== undefined) return found;
    if (this.isFull || key.length > maxLength) return new KnownKey(key, false, sibling);
    const known = new KnownKey(internalized(key), !/["\\\u0000-\u001f]/.test(key), sibling);
    this.known.set(known.key, known);
    return known;
  }
}

/** A key, and what was learnt about the members that have it. */
export class KnownKey {
  readonly key: string;
  /** Matches the member; `undefined` until it was read often enough. */
  member: MemberPattern | undefined;
  /** How many members were read without a pattern, or were not matched by it in a row. */
  attempts = 0;
  /** Whether the key is short and its text contains no escape. */
  readonly predictable: boolean;
  /** The key that followed last time, in the same object. */
  next: KnownKey | undefined;
  private firstChild: KnownKey | undefined;
  private example: unknown;

  /**
   * @param sibling the key before it. The values of a map are alike, so a new key starts with the children of its
   * sibling
   */
  constructor(key: string, predictable: boolean, sibling?: KnownKey) {
    this.key = key;
    this.predictable = predictable;
    this.firstChild = sibling?.firstChild;
  }

  /** Stands for the place before the first key of the object that is the value of this key. */
  get child(): KnownKey {
    return (this.firstChild ??= new KnownKey("", true));
  }

  /**
   * Keeps an object with the keys of this complete one. V8 makes a hash table, several times as large and slower to
   * read, of an object that gets more than 16 keys one by one, unless one with the same keys was created at once.
   */
  keepExample(object: JsonObject): void {
    if (this.example !== undefined) return;
    const keys = Object.keys(object);
    const isRecord = keys.length < minKeysOfMap && keys.every(({ length }) => length <= maxLength);
    this.example = isRecord ? Object.fromEntries(keys.map((key) => [key, null])) : {};
  }
}

/** Returns the engine's own copy of a string that is used as a property name. V8 compares it by its address. */
function internalized(key: string): string {
  return Object.keys({ [key]: 0 })[0] as string;
}

/** From this many keys on an object is a map, for which a hash table is the right form. */
const minKeysOfMap = 128;
/** Longer keys are not learnt. */
const maxLength = 64;
const maxKnown = 1_000;
