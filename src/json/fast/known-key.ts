import { MemberLead } from "./member-lead.js";
import { childPointer } from "../../tree/pointer.js";
import type { JsonObject } from "../value.js";

/**
 * A key that was read, and what was read after it. The objects of a document have mostly the same keys in the same order,
 * so the next key is known before it is read: then it is compared in place, and not cut out, hashed and looked up.
 */
export class KnownKey {
  readonly key: string;
  /** Whether it can be expected: it is short, and stands in the text as it is, without an escape. */
  readonly plain: boolean;
  /** The key that followed last time, in the same object. */
  next: KnownKey | undefined;
  /** What led to its value then, if that can be matched. */
  nextLead: MemberLead | undefined;
  /** What stands before the first key of the object that is its value. */
  private firstChild: KnownKey | undefined;
  private example: unknown;
  private pointerStep: string | undefined;
  /** What leads to its value: another one at each depth of an indented document. */
  private leads: readonly MemberLead[] = none;

  /** @param sibling the key before it: the objects of a map are alike, and so the first of them is known to all */
  constructor(key: string, plain: boolean, sibling?: KnownKey) {
    this.key = key;
    this.plain = plain;
    this.firstChild = sibling?.firstChild;
  }

  /**
   * Before the first key: an object that follows is complete. V8 gives an object that gets more than 16 keys one by one
   * the form of a hash table, many times as large and slower to read, except where one with the same keys was made at
   * once. So one is made, and kept while the document is read.
   */
  keepExample(object: JsonObject): void {
    if (this.example !== undefined) return;
    this.example = {};
    const keys = Object.keys(object);
    if (keys.length < MANY_KEYS) this.example = Object.fromEntries(keys.map((key) => [key, null]));
  }

  /** The key as a step of a JSON Pointer, with its slash. */
  get step(): string {
    return (this.pointerStep ??= childPointer("", this.key));
  }

  /** What leads to its value was read once more, from this place to that. Gives what is known of it, if it can be matched. */
  learnLead(text: string, start: number, end: number, afterString: string): MemberLead | undefined {
    for (const lead of this.leads) {
      if (lead.length === end - start) return lead.learn(text, start, afterString) ? lead : undefined;
    }
    if (this.leads.length < MOST_LEADS) this.leads = [...this.leads, new MemberLead(this.key, end - start)];
    return undefined;
  }

  get child(): KnownKey {
    return (this.firstChild ??= new KnownKey("", true));
  }
}

/** The keys of a document. Beyond a bound new ones are forgotten: objects that are maps have no keys worth knowing. */
export class KnownKeys {
  private readonly keys = new Map<string, KnownKey>();

  get(key: string, sibling: KnownKey): KnownKey {
    const found = this.keys.get(key);
    if (found !== undefined) return found;
    if (this.keys.size === MOST || key.length > LONGEST) return new KnownKey(key, false, sibling);
    const known = new KnownKey(interned(key), !/["\\\u0000-\u001f]/.test(key), sibling);
    this.keys.set(known.key, known);
    return known;
  }
}

/** The engine's one copy of a string that it uses as a name, which is compared by its address. */
function interned(key: string): string {
  return Object.keys({ [key]: 0 })[0] as string;
}

/** Up to so many keys an object has its form without an example. */
export const FEW_KEYS: number = 16;
/** From so many on it is a map, and a hash table the right thing. */
const MANY_KEYS = 128;

const LONGEST = 64;
const MOST = 1_000;
const MOST_LEADS = 16;
const none: readonly MemberLead[] = [];
