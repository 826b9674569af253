import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";

/** What a run took: for the line under the live view, and the summary of the demo. */
export class Tally {
  chunks = 0;
  patches = 0;
  /** UTF-8 bytes of the patches as JSON. The sizes stay 0 unless they are asked for, as counting them costs more than all else. */
  patchBytes = 0;
  /** The same, with strings that grow by `append`. */
  appendBytes = 0;
  /** What it would be to send the whole value after each change. */
  snapshotBytes = 0;
  private readonly withSizes: boolean;

  constructor({ withSizes }: { readonly withSizes: boolean }) {
    this.withSizes = withSizes;
  }

  /** @param patch with `append` operations, `standard` the same without, `value` what they made */
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
