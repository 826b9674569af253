/**
 * Tells when a snapshot is due, so that all snapshots of a text together take linear time. A snapshot copies the open
 * containers, so one for each chunk takes quadratic time for an object with thousands of members. Characters and chunks
 * are counted, not time: the same chunks always give the same snapshots.
 */
export class SnapshotPace {
  /** The number of characters read since the last snapshot. */
  private read = 0;

  /** @param characters the length of a chunk */
  add(characters: number): void {
    this.read += characters + charactersPerChunk;
  }

  /** Whether a snapshot is due. If so, the next one waits again. */
  isDue(openMembers: number): boolean {
    if (openMembers > maxUnpaced && this.read < openMembers * charactersPerMember) return false;
    this.read = 0;
    return true;
  }
}

/** Up to so many members in the open containers, a snapshot is taken after each chunk. */
const maxUnpaced = 128;
/**
 * To copy a member takes 100 ns and 130 bytes, as long as to read 10 characters. With this pace, a snapshot for each 64
 * characters of 1 MB of orders is 0.3 times as fast as jsonriver, which copies nothing (`npm run bench regimes`).
 */
const charactersPerMember = 2.5;
/** A chunk takes as long as so many characters. A reader of tokens, whose chunks are short, waits less. */
const charactersPerChunk = 12;
