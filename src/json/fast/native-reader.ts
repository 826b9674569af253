import type { Builder } from "../build/builder.js";
import { parseNative, Runs } from "./native.js";
import type { Position } from "../scan/position.js";
import type { JsonArray, JsonObject } from "../value.js";

/** Reads by the native `JSON.parse` what is complete in a long chunk, and hands it to the builder. */
export class NativeReader extends Runs {
  private readonly builder: Builder;
  private readonly position: Position;
  private readonly maxDepth: number;
  private readonly maxKeys: number;

  constructor(builder: Builder, position: Position, maxDepth: number, maxKeys: number) {
    super();
    this.builder = builder;
    this.position = position;
    this.maxDepth = maxDepth;
    this.maxKeys = maxKeys;
  }

  /**
   * Reads from the beginning of a value or key. Gives the place behind what was read; the beginning if that is nothing.
   */
  read(text: string, start: number): number {
    return this.builder.depth === 0 ? this.readWhole(text, start) : this.readRun(text, start);
  }

  /** Further elements or members of the open container. */
  private readRun(text: string, start: number): number {
    const { builder, maxDepth, maxKeys } = this;
    const end = this.find(text, start, builder.top);
    if (end === start) return start;
    const run = text.slice(start, end);
    const container = builder.inArray ? `[${run}]` : `{${run}}`;
    const value = parseNative(container, maxDepth - builder.depth + 1, maxKeys - builder.top.keys);
    if (value === undefined) {
      this.miss();
      return start;
    }
    this.hit();
    builder.addAll(value as JsonArray | JsonObject);
    this.position.newLines(text, start, end);
    return end;
  }

  /** The document, if the chunk holds all of it. */
  private readWhole(text: string, start: number): number {
    const end = this.findWhole(text, start);
    if (end === start) return start;
    const value = parseNative(text.slice(start, end), this.maxDepth, this.maxKeys);
    if (value === undefined) return start;
    this.position.skip(start, end);
    this.builder.leaf(value, "");
    return end;
  }
}
