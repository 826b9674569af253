import type { Builder } from "../../../json/build/builder.js";
import { GrowingJsonText } from "../../../json/patch/growing-json-text.js";
import { JsonPatchError } from "../../../json/patch/patch-error.js";
import type { JsonPatch, JsonPatchOperation } from "../../../json/patch/patch.js";
import { isObject, type JsonValue, valueAt } from "../../../json/value.js";
import { isInstance } from "../../../text/thrown.js";
import { pointerTo } from "../../../tree/pointer.js";

/** The arguments in a document as JSON text that only grows. If they are a string, it is their JSON text. */
export class JsonArgs {
  private readonly path: readonly string[];
  private readonly pointer: string;
  private readonly document: Builder;
  private readonly text = new GrowingJsonText();
  private kind: "none" | "json" | "text" | "repeated" = "none";
  private isClosed = false;
  isList = false;

  constructor(path: readonly string[], document: Builder) {
    this.path = path;
    this.pointer = pointerTo(path);
    this.document = document;
  }

  get value(): JsonValue | undefined {
    return valueAt(this.document.value, this.path);
  }

  get isOpen(): boolean {
    return !this.document.isComplete(this.pointer);
  }

  get hasBegun(): boolean {
    return this.kind !== "none";
  }

  /** Whether they have a value, and it is complete. */
  get hasEnded(): boolean {
    return this.hasBegun && !this.isOpen;
  }

  get isText(): boolean {
    return this.kind === "text";
  }

  get isRepeated(): boolean {
    return this.kind === "repeated";
  }

  /** Returns the text that a patch of the document adds. */
  write(patch: JsonPatch): string {
    let added = patch.map((operation) => this.apply(operation)).join("");
    if (this.kind === "json" && !this.isClosed && this.document.isComplete(this.pointer)) {
      this.isClosed = true;
      added += this.text.end();
    }
    return added;
  }

  private apply(operation: JsonPatchOperation): string {
    if (this.kind === "repeated") return "";
    const { op, path, value } = operation;
    if (path.startsWith(`${this.pointer}/`)) {
      try {
        return this.text.write([{ ...operation, path: path.slice(this.pointer.length) }]);
      } catch (error) {
        if (isInstance(error, JsonPatchError) && error.code === "max_work") return this.invalid();
        throw error;
      }
    }
    if (path === this.pointer && op === "append") return value;
    if (path !== this.pointer && !`${this.pointer}/`.startsWith(`${path}/`)) return "";
    const keys = this.path.slice(path === "" ? 0 : path.split("/").length - 1);
    const found = valueAt(value, keys);
    return found === undefined || found === null ? "" : this.begin(found);
  }

  private begin(value: JsonValue): string {
    if (this.kind !== "none") return this.invalid();
    this.kind = typeof value === "string" ? "text" : "json";
    if (typeof value === "string") return value;
    this.isList = Array.isArray(value);
    if (!isObject(value) && !this.isList) this.isClosed = true;
    return this.text.write([{ op: "replace", path: "", value }]);
  }
  /** A comma after the first value is not valid JSON, so a call with a repeated key becomes invalid. */
  private invalid(): string {
    this.kind = "repeated";
    return ",";
  }
}
