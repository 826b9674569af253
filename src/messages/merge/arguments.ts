import { rawStrings } from "../../lenient/repair.js";
import { fast } from "../../json/fast/fast-paths.js";
import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonPatchOperation } from "../../json/patch/patch.js";
import type { JsonRepair } from "../../json/repair.js";
import { SnapshotPace } from "../../json/snapshot-pace.js";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { kindName } from "../../text/kind-name.js";
import { GrowingText } from "../../text/growing-text.js";
import type { FinishedCall } from "../blocks/read.js";
import { isInstance } from "../../text/thrown.js";
import { otherReadingOf } from "./other-reading.js";

/**
 * The arguments of a streaming tool call. One parser reads each character once. By default it accepts raw line breaks
 * in strings, which models write in long texts, and no other mistake: a tool must not run on a guess.
 */
export class Arguments {
  private readonly written = new GrowingText();
  private readonly parser: JsonParser;
  private readonly isForTool: boolean;
  private readings: { readonly other: string | undefined } | undefined;
  /** Whether there is no text. Some models call a tool without arguments this way. */
  empty = true;
  /** The first error. Later text is kept but not parsed. */
  failure: Error | undefined;

  private readonly repaired: JsonRepair[] = [];
  private readonly pace = new SnapshotPace();
  private shown: JsonValue | undefined;

  /** @param options parser options of the arguments, if they are not those of a tool that will run */
  constructor(options?: JsonParserOptions) {
    this.isForTool = options === undefined;
    this.parser = new JsonParser({
      ...(options ?? { repair: rawStrings, fast }),
      onRepair: (repair) => {
        if (this.repaired.length < MAX_REPAIRS) this.repaired.push(repair);
        options?.onRepair?.(repair);
      },
    });
  }

  get repairs(): { readonly repairs?: readonly JsonRepair[] } {
    return this.repaired.length === 0 ? {} : { repairs: [...this.repaired] };
  }

  /** Adds the repairs of the text that the arguments were read from. */
  addRepairs(repairs: readonly JsonRepair[]): void {
    this.repaired.push(...repairs.slice(0, MAX_REPAIRS - this.repaired.length));
  }

  write(delta: string): void {
    this.written.add(delta);
    this.empty &&= delta.trim() === "";
    this.pace.add(delta.length);
    if (this.failure !== undefined) return;
    try {
      this.parser.write(delta);
    } catch (error) {
      this.failure = error as Error;
      this.shown = undefined; // It is shown once more, and then stays.
      if (!isInstance(error, JsonParseError)) throw error;
    }
  }

  get text(): string {
    return this.written.value;
  }

  /** An immutable value. Unchanged parts are shared with earlier snapshots. */
  snapshot(): JsonValue | undefined {
    return this.parser.snapshot();
  }

  /** A snapshot for each chunk. For wide objects it stays the same for some chunks. */
  pacedSnapshot(): JsonValue | undefined {
    const grows = this.failure === undefined && this.pace.isDue(this.parser.openMembers);
    if (this.shown === undefined || grows) this.shown = this.snapshot();
    return this.shown;
  }

  takePatch(): JsonPatchOperation[] {
    return this.parser.takePatch();
  }

  /**
   * Why a tool must not run on these arguments, although they are valid JSON. Asked once the object is closed, and found
   * once: white space may still follow, in any number of pieces.
   */
  get otherReading(): string | undefined {
    if (!this.isForTool) return undefined;
    this.readings ??= { other: otherReadingOf(this.text) };
    return this.readings.other;
  }

  /** The object if it is closed: only white space can follow. */
  closed(): JsonObject | undefined {
    const value = this.failure === undefined && this.parser.complete ? this.snapshot() : undefined;
    return isObject(value) ? value : undefined;
  }

  end(): { readonly args: JsonObject } | { readonly error: string } {
    if (this.empty) return { args: {} };
    try {
      if (this.failure === undefined) this.parser.end();
    } catch (error) {
      this.failure = error as Error;
    }
    const { failure } = this;
    if (isInstance(failure, JsonParseError))
      return { error: `The arguments are not valid JSON: ${failure.message}` };
    if (failure !== undefined) return { error: failure.message };
    const { otherReading } = this;
    if (otherReading !== undefined) return { error: otherReading };
    const value = this.snapshot();
    return isObject(value)
      ? { args: value }
      : { error: `The arguments are ${kindName(value ?? null)}, not a JSON object.` };
  }
}

export const MAX_REPAIRS = 100;

export function toolCallFrom(id: string, name: string, text: string): FinishedCall {
  const args = new Arguments();
  args.write(text);
  return finishedCall(id, name, args);
}

/**
 * @param raw the text of an invalid call, if the model did not write it as JSON
 * @param reason why the call is invalid, if the JSON does not show it
 */
export function finishedCall(
  id: string,
  name: string,
  written: Arguments,
  raw: string = written.text,
  reason?: string,
): FinishedCall {
  const result = written.end();
  if ("args" in result && name !== "" && reason === undefined) {
    return { type: "tool_call", id, name, args: result.args, ...written.repairs };
  }
  const error = reason ?? ("error" in result ? result.error : "The call does not name a tool.");
  return {
    type: "invalid_tool_call",
    id,
    ...(name === "" ? undefined : { name }),
    args: raw,
    error,
  };
}
