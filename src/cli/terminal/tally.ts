import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";

/** Counts for the line below the live view and for the demo's summary. */
export class Tally {
  chunks = 0;
  patches = 0;
  /**
   * UTF-8 bytes of the patches as JSON. Sizes stay 0 without `withSizes`, because counting them costs more than
   * everything else.
   */
  patchBytes = 0;
  /** The same, with `append` for growing strings. */
  appendBytes = 0;
  /** Bytes of the whole value, sent after each change. */
  snapshotBytes = 0;
  private readonly withSizes: boolean;

  constructor({ withSizes }: { readonly withSizes: boolean }) {
    this.withSizes = withSizes;
  }

  /**
   * @param patch the patch with `append` operations
   * @param standard the same patch without them
   * @param value the value after the patch
   */
  add(patch: JsonPatch, standard: JsonPatch, value: JsonValue): void {
    this.patches++;
    if (!this.withSizes) return;
    this.appendBytes += bytesOf(patch);
    this.patchBytes += bytesOf(standard);
    this.snapshotBytes += bytesOf(value);
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
