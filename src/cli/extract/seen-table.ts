import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** The state of a document. */
export interface Seen {
  /** Whether this run has read it. */
  readonly read: boolean;
  /** The hash of its content when it was done; `undefined` if it is not done. */
  readonly done: number | undefined;
}

/**
 * The documents of a run by their id, in 16 bytes each: a million take 32 MB. An id is known by 64 bits of its SHA-256.
 * Among a million, two have the same with a probability of 1 in 37 million.
 */
export class SeenTable {
  private slots = new Uint32Array(4 * 1_024);
  private size = 0;

  /** Marks a document as done in an earlier run. */
  addDone(id: string, content: string): void {
    const slot = this.slot(id);
    this.slots[slot + 2] = contentBits(content);
    this.slots[slot + 3] = (this.slots[slot + 3] as number) | isDone;
  }

  /** Marks a document as read by this run. Returns what was known before. */
  read(id: string): Seen {
    const slot = this.slot(id);
    const state = this.slots[slot + 3] as number;
    this.slots[slot + 3] = state | isRead;
    return {
      read: (state & isRead) !== 0,
      done: (state & isDone) === 0 ? undefined : this.slots[slot + 2],
    };
  }

  /** Counts how often an id occurs, from 1. */
  count(id: string): number {
    const slot = this.slot(id);
    return ((this.slots[slot + 3] = (this.slots[slot + 3] as number) + oneMore) / oneMore) | 0;
  }

  /** The slot of an id. A new id gets a new slot. */
  private slot(id: string): number {
    if (this.size * 2 >= this.slots.length / 4) this.grow();
    const hash = createHash("sha256").update(id).digest();
    const [high, low] = [hash.readUInt32LE(0), hash.readUInt32LE(4)];
    const slot = find(this.slots, high, low);
    if (this.slots[slot + 3] === 0) {
      this.size++;
      this.slots[slot] = high;
      this.slots[slot + 1] = low;
      this.slots[slot + 3] = isUsed;
    }
    return slot;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 2);
    for (let slot = 0; slot < old.length; slot += 4) {
      if (old[slot + 3] === 0) continue;
      const target = find(this.slots, old[slot] as number, old[slot + 1] as number);
      this.slots.set(old.subarray(slot, slot + 4), target);
    }
  }
}

const isUsed = 1;
const isDone = 2;
const isRead = 4;
/** The other bits count. */
const oneMore = 8;

/** The slot of a hash, or the free one where it belongs. */
function find(slots: Uint32Array, high: number, low: number): number {
  let slot = (high * 4) % slots.length;
  while (slots[slot + 3] !== 0 && (slots[slot] !== high || slots[slot + 1] !== low)) {
    slot = (slot + 4) % slots.length;
  }
  return slot;
}

/** The SHA-256 of a text, as its first hexadecimal digits. */
export function sha256Of(text: string, digits = 64): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

/** The hash of a content, as it is in the output. */
export function contentHash(content: string): string {
  return sha256Of(content, 16);
}

/** The part of a content hash that is kept. */
export function contentBits(hash: string): number {
  return Buffer.from(hash.slice(0, 8), "hex").readUInt32BE(0);
}
