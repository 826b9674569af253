import { type Operator, type PatchLineError, type PatchLineRepair, stage, tap } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { chunkBorder } from "../../protocol.js";
import type { TraceWriter } from "../trace-writer.js";
import { WireSizes } from "./wire-sizes.js";

/** Measures one run's parser: a stage before and a stage after it record chunks, patches, bytes and characters. */
export class RunMeter {
  private readonly trace: TraceWriter;
  private readonly sizes = new WireSizes();
  private readonly lead = new LineLead();
  private text = "";
  private chunks = 0;
  private patches = 0;
  /** The characters that are parsed if the whole text is parsed again after each chunk. */
  private again = 0;
  /** Patches from the current chunk. */
  private pending: (readonly AnyPatchOperation[])[] = [];

  constructor(trace: TraceWriter) {
    this.trace = trace;
  }

  /** The stage before the parser. */
  get before(): Operator<string, string> {
    return stage((emit) => ({
      next: (chunk) => {
        this.text += chunk;
        try {
          emit(chunk);
        } finally {
          this.chunks++;
          this.count(chunk);
        }
      },
    }));
  }

  /** The stage after the parser. */
  get after(): Operator<readonly AnyPatchOperation[], readonly AnyPatchOperation[]> {
    return tap((patch) => this.pending.push(patch));
  }

  repair({ kind, offset }: PatchLineRepair): void {
    const near = this.text.slice(Math.max(0, offset - 12), offset + 12);
    this.trace.repair({ kind, offset, near });
  }

  refuse({ code, message, offset }: PatchLineError): void {
    this.trace.refuse({ code, message, offset });
  }

  /** Counts patches emitted at the end of the text. */
  finish(): void {
    if (this.pending.length > 0) this.count("");
  }

  private count(chunk: string): void {
    for (const patch of this.pending) {
      this.patches++;
      this.sizes.add(patch);
      this.lead.add(patch, this.text.length);
    }
    this.pending = [];
    this.lead.read(chunk, this.text.length);
    if (chunk !== "") this.again += this.text.length;
    const { chunks, patches, again, text } = this;
    const { append, replace, snapshot } = this.sizes;
    this.trace.chunk(chunk === "" ? "" : chunk.replaceAll(chunkBorder, "\u241e") + chunkBorder, {
      chunks,
      characters: text.length,
      patches,
      append,
      replace,
      snapshot,
      again,
      ahead: this.lead.mean,
    });
  }
}

/** Measures how long before the end of its line each component of a spec appears. */
class LineLead {
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
