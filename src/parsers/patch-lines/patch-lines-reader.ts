import { JsonParseError } from "../../json/errors.js";
import { isLenient } from "../../json/options.js";
import type { JsonParserOptions } from "../../json/options.js";
import { SnapshotPace } from "../../json/snapshot-pace.js";
import type { JsonRepairKind } from "../../json/repair.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { ListReader } from "../../list/list-reader.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import { quoted } from "../../text/cut.js";
import { isInstance } from "../../text/thrown.js";
import { AfterThinking } from "../list/after-thinking.js";
import { PatchedDocument } from "./document.js";
import {
  OperationProblem,
  type OperationRepairKind,
  PatchLineError,
  type PatchLineErrorCode,
} from "./line-error.js";
import { LineFinder, type OperationTarget } from "./line-finder.js";
import type { LineFormat, OpenPlace, StreamedLine } from "./streamed-line.js";
import { WaitingLines } from "./waiting-lines.js";

/** The settings of a reader, with all defaults. */
export interface PatchLinesRules {
  readonly initial: JsonValue;
  readonly format: LineFormat;
  readonly growing: boolean;
  readonly append: boolean;
  /** How to read the JSON of an operation. */
  readonly json: Omit<JsonParserOptions, "guard" | "onRepair"> & { readonly maxDepth: number };
  /** The most characters of the whole text. */
  readonly maxLength: number;
  readonly maxOperations: number;
  readonly maxWaiting: number;
  /** How much work each character pays for. */
  readonly maxWork: number;
  /** Whether a text that is cut is no error. */
  readonly keepTruncated: boolean;
  readonly onRepair: (repair: PatchLineRepair) => void;
  /** Called with each operation that is not applied. `undefined`: they end the stream, after the last operation. */
  readonly onLineError: ((error: PatchLineError) => void) | undefined;
}

/** A repair and its place: `offset` counts UTF-16 code units of the whole text from 0. */
export interface PatchLineRepair {
  /**
   * A repair of the JSON (docs/reference/repair.md), or of the operation:
   *
   * - `path`: a key differs from one of the schema only in case and punctuation, and is read as that one
   * - `missing_brace`: an operation without its opening brace
   * - `missing_target`: a `replace` of a member that does not exist is read as `add`
   * - `missing_version`: a message of A2UI without its `version`
   */
  readonly kind: JsonRepairKind | OperationRepairKind;
  readonly offset: number;
}

/** The change of one operation, or of a part of it. */
export interface PatchLineEvent {
  /** The operations since the event before. Empty if the end of an operation changes nothing more. */
  readonly patch: readonly AnyPatchOperation[];
  /** Whether the operation is still being written, so that its value grows. */
  readonly growing: boolean;
}

/** Reads patches from a text, and applies them. It is synchronous; `patchLines()` adds the streams. */
export class PatchLinesReader implements OperationTarget {
  /** Why the last operation is incomplete, if the text ended inside it. What it had shown stays. */
  truncation: JsonParseError | undefined;
  /** The first errors of operations, and the number of all. */
  readonly errors: PatchLineError[] = [];
  errorCount = 0;
  /** The error of the last operation that was refused. */
  private refused: PatchLineError | undefined;
  /** The error for an incomplete operation at the end that had shown nothing. */
  lost: PatchLineError | undefined;
  private readonly rules: PatchLinesRules;
  private readonly document: PatchedDocument;
  private readonly finder: ListReader;
  private line: StreamedLine | undefined;
  /** Whether a part of the open operation was emitted. */
  private isShown = false;
  private readonly waiting = new WaitingLines();
  private events: PatchLineEvent[] = [];
  private operations = 0;
  private length = 0;
  private received = 0;
  private truncated = false;
  private readonly pace = new SnapshotPace();

  constructor(rules: PatchLinesRules) {
    this.rules = rules;
    const { maxLength, maxWork } = rules;
    const bounds = { maxDepth: rules.json.maxDepth, maxLength, maxWork };
    this.document = new PatchedDocument(rules.initial, rules.append, bounds, (operation, value) => {
      this.waiting.changed(operation, value);
    });
    this.finder = new AfterThinking((offset) => new LineFinder(this, rules.format.syntax, offset));
  }

  get inString(): boolean {
    return this.line?.parser.inString === true;
  }

  /** @throws {PatchLineError} `max_operations` or `max_length`: the text has too much of it */
  write(text: string): void {
    const { maxLength } = this.rules;
    const room = maxLength - this.length;
    this.length += text.length;
    this.pace.add(text.length);
    this.finder.write(text.slice(0, room));
    const { line } = this;
    if (line !== undefined) {
      this.attempt(line, () => {
        line.grow();
      });
    }
    this.emit(this.line !== undefined);
    if (text.length <= room) return;
    const place = { offset: maxLength, operation: this.operations };
    throw new PatchLineError("max_length", `the text is longer than maxLength (${maxLength}).`, place);
  }

  /**
   * Ends the text.
   *
   * @param truncated whether the text is known to be truncated, so a missing end is not the model's mistake
   * @throws {ListError} if the text ended inside a `<think>`
   */
  end({ truncated }: { readonly truncated: boolean }): void {
    this.truncated = truncated;
    this.finder.end();
    for (const line of this.waiting.all()) {
      const problem = `its place ${quoted(line.path ?? "", 80)} did not exist by the end.`;
      this.report(line, new OperationProblem("missing_parent", problem));
    }
  }

  /** Whether a snapshot is due, at a pace at which all of them together take linear time. */
  isSnapshotDue(): boolean {
    return this.pace.isDue(this.document.copiedMembers);
  }

  /** Returns the value so far, immutable. `undefined` before the first operation. */
  snapshot(): JsonValue | undefined {
    return this.document.snapshot();
  }

  /** Returns the document at the end. `undefined` if no operation remains, even if one was shown and taken back. */
  result(): JsonValue | undefined {
    return this.document.isUnchanged ? undefined : this.snapshot();
  }

  /** Returns the events since the last call. */
  takeEvents(): readonly PatchLineEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  begin(offset: number, hasBrace: boolean): void {
    const place: OpenPlace = { offset, operation: ++this.operations, lines: [] };
    // An operation is paid by the text before it, so that it does not matter how the text is cut.
    this.document.receive(offset - this.received);
    this.received = offset;
    const { maxOperations } = this.rules;
    if (this.operations > maxOperations) {
      throw new PatchLineError(
        "max_operations",
        `there are more than maxOperations (${maxOperations}).`,
        place,
      );
    }
    const line = this.open(place);
    this.line = line;
    if (hasBrace) return;
    this.attempt(line, () => {
      if (!isLenient(this.rules.json)) throw new OperationProblem("invalid", "its brace is missing.");
      this.rules.onRepair({ kind: "missing_brace", offset });
      line.parser.write("{");
    });
  }

  add(text: string): "open" | "complete" | "refused" {
    const { line } = this;
    if (line === undefined) return "refused";
    const valid = this.attempt(line, () => {
      line.parser.write(text);
    });
    if (!valid) return "refused";
    if (!line.parser.complete) return "open";
    this.complete(line);
    return "complete";
  }

  contains(offset: number): void {
    if (this.line === undefined) this.refuseInside(offset);
    else this.line.place.lines.push(offset);
  }

  cut(): boolean {
    const { line } = this;
    if (line === undefined) return true;
    const valid = this.attempt(line, () => {
      // A number ends only at the next character.
      if (!line.parser.inString) line.parser.write("\n");
      line.parser.end();
    });
    if (valid) this.complete(line);
    return valid;
  }

  stop(): void {
    const { line } = this;
    if (line === undefined) return;
    const valid = this.attempt(line, () => {
      try {
        line.parser.end({ truncated: this.truncated });
      } catch (error) {
        if (!isInstance(error, JsonParseError) || error.code !== "unexpected_end") throw error;
        line.grow();
        this.truncation = error;
        if (line.undo.length === 0) this.lost = errorOf(line, error);
      }
    });
    if (valid && this.truncation === undefined) this.complete(line);
    this.emit(this.truncation !== undefined);
  }

  /** Applies a whole operation, and then those that waited for it. */
  private complete(line: StreamedLine): void {
    this.apply(line);
    this.line = undefined;
    this.emit(false);
    for (let next = this.waiting.next(); next !== undefined; next = this.waiting.next()) this.lookAgain(next);
  }

  /** Applies a line that waited, if its place exists now. */
  private lookAgain(line: StreamedLine): void {
    const fits = this.attempt(line, () => {
      this.payLook(line);
      const missing = line.missingPlace();
      if (missing !== undefined) this.waiting.add(line, missing);
    });
    if (this.waiting.has(line)) return;
    if (fits) this.applyAgain(line);
    this.emit(false);
  }

  /**
   * Pays for looking at a line again. Elements that move, and values that are replaced, may wake the same lines with
   * each operation.
   *
   * @throws {OperationProblem} `max_waiting`
   */
  private payLook({ pointerLength }: StreamedLine): void {
    if (!this.document.pays(workToLook * pointerLength))
      throw new OperationProblem(
        "max_waiting",
        `its place was looked for too often: ${this.document.problem}`,
      );
  }

  /** @param text the rest of the operation */
  private apply(line: StreamedLine, text = ""): void {
    this.attempt(line, () => {
      if (text !== "") line.parser.write(text);
      const outcome = line.finish();
      if (outcome === "done") this.document.keep();
      if (outcome === "unchecked") this.applyAgain(line);
      if (typeof outcome === "string") return;
      if (this.waiting.size >= this.rules.maxWaiting) {
        const problem = `it waits for its place, as more than maxWaiting (${this.rules.maxWaiting}) do.`;
        throw new OperationProblem("max_waiting", problem);
      }
      this.waiting.add(line, outcome);
    });
  }

  /** Reads a whole operation with its path before its value, so that the guard of the path checks the value. */
  private applyAgain(line: StreamedLine): void {
    this.apply(this.open(line.place), line.toText());
  }

  private open(place: OpenPlace): StreamedLine {
    const { format, growing, json, onRepair } = this.rules;
    return format.open(place, {
      document: this.document,
      growing,
      json: {
        ...json,
        onRepair: ({ kind, offset }) => {
          onRepair({ kind, offset: place.offset + offset });
        },
      },
      repair: isLenient(json),
      onRepair: (kind) => {
        onRepair({ kind, offset: place.offset });
      },
    });
  }

  /** Refuses the operation if the action throws. @returns whether it did not */
  private attempt(line: StreamedLine, action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      this.document.undo(line.undo);
      this.report(line, error);
      if (line === this.line) {
        this.line = undefined;
        this.emit(false);
      }
      return false;
    }
  }

  private report(line: StreamedLine, error: unknown): void {
    this.refused = errorOf(line, error);
    this.refuse(this.refused);
    for (const offset of line.place.lines.splice(0)) this.refuseInside(offset);
  }

  private refuseInside(offset: number): void {
    const { refused: cause } = this;
    const problem = "it was read as a part of this operation, which was refused.";
    this.refuse(new PatchLineError("invalid", problem, { offset, operation: cause?.operation ?? 0, cause }));
  }

  private refuse(error: PatchLineError): void {
    if (this.errorCount++ < maxErrors) this.errors.push(error);
    this.rules.onLineError?.(error);
  }

  private emit(growing: boolean): void {
    const patch = this.document.take();
    if (patch.length > 0 || (this.isShown && !growing)) this.events.push({ patch, growing });
    this.isShown = growing && (this.isShown || patch.length > 0);
  }
}

const maxErrors = 100;
/** To follow a character of a pointer takes as long as to read four. */
const workToLook = 4;

/** @throws the error itself if it is no problem of the line */
function errorOf({ place, path }: StreamedLine, error: unknown): PatchLineError {
  const code = codeOf(error);
  if (code === undefined) throw error;
  const cause = isInstance(error, OperationProblem) ? error.cause : error;
  return new PatchLineError(code, (error as Error).message, { ...place, path, cause });
}

function codeOf(error: unknown): PatchLineErrorCode | undefined {
  if (isInstance(error, OperationProblem)) return error.code;
  if (isInstance(error, SchemaViolation)) return "schema";
  if (!isInstance(error, JsonParseError)) return undefined;
  return error.code === "max_length" || error.code === "max_depth" ? error.code : "invalid";
}
