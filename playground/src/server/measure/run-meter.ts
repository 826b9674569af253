import { type Clock, type Operator, type PatchLineError, type PatchLineRepair, stage, tap } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { chunkBorder } from "../../protocol.js";
import type { TraceWriter } from "../trace-writer.js";
import { WireSizes } from "./wire-sizes.js";

/** Measures one run's parser: a stage before and a stage after it record chunks, patches, bytes and times. */
export class RunMeter {
  private readonly trace: TraceWriter;
  private readonly clock: Clock;
  /** Parses a whole text from its start. */
  private readonly readAgain: (text: string) => void;
  private readonly sizes = new WireSizes();
  private readonly lead = new LineLead();
  private text = "";
  private chunks = 0;
  private patches = 0;
  private once = 0;
  private again = 0;
  /** Last measurement of parsing the whole text: its length, and milliseconds per character. */
  private measured = { length: 0, perCharacter: 0 };
  /** Patches from the current chunk. */
  private pending: (readonly AnyPatchOperation[])[] = [];

  constructor(trace: TraceWriter, readAgain: (text: string) => void, clock: Clock) {
    this.trace = trace;
    this.readAgain = readAgain;
    this.clock = clock;
  }

  /** The stage before the parser. Later stages run inside `emit`, so timing `emit` times the parser. */
  get before(): Operator<string, string> {
    return stage((emit) => ({
      next: (chunk) => {
        const { clock } = this;
        this.text += chunk;
        const start = clock.now();
        try {
          emit(chunk);
        } finally {
          this.once += clock.now() - start;
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
    if (chunk !== "") this.again += this.timeAgain();
    const { chunks, patches, once, again, text } = this;
    const { append, replace, snapshot } = this.sizes;
    this.trace.chunk(chunk === "" ? "" : chunk.replaceAll(chunkBorder, "\u241e") + chunkBorder, {
      chunks,
      characters: text.length,
      patches,
      append,
      replace,
      snapshot,
      once,
      again,
      ahead: this.lead.mean,
    });
  }

  /**
   * Milliseconds to parse the whole text again. Measured each time the text has grown by 10 %, which bounds the total
   * cost to parsing ten times the text.
   */
  private timeAgain(): number {
    const { text, clock } = this;
    if (text.length >= this.measured.length * 1.1) {
      const start = clock.now();
      this.readAgain(text);
      this.measured = { length: text.length, perCharacter: (clock.now() - start) / text.length };
    }
    return this.measured.perCharacter * text.length;
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
