import type { AnyPatchOperation } from "../../../../json/patch/patch.js";

/** Measures how long before the end of its line each component of a spec appears. */
export class LineLead {
  /** Where the components of the open line appeared: numbers of characters. */
  private appeared: number[] = [];
  private components = 0;
  private total = 0;

  add(patch: readonly AnyPatchOperation[], length: number): void {
    for (const { op, path } of patch) if (op === "add" && component.test(path)) this.appeared.push(length);
  }

  /** @param length of the text with this chunk */
  read(chunk: string, length: number): void {
    const border = chunk.indexOf("\n");
    if (border < 0) return;
    const end = length - chunk.length + border;
    for (const at of this.appeared) this.total += Math.max(0, end - at);
    this.components += this.appeared.length;
    this.appeared = [];
  }

  get mean(): number {
    return this.components === 0 ? 0 : this.total / this.components;
  }
}

const component = /^\/elements\/[^/]+$/;
