import type { JsonPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { PatchedDocument } from "../../parsers/patch-lines/document.js";
import { ShownText } from "../../parsers/patch-lines/shown-text.js";
import { type DataPlace, settingAt } from "./data-place.js";

/** A value of a data model that is shown while it is written. */
export class ShownDataValue {
  readonly pointer: string;
  private readonly document: PatchedDocument;
  private readonly text: ShownText | undefined;

  constructor(document: PatchedDocument, place: DataPlace, value: JsonValue) {
    this.document = document;
    this.pointer = place.pointer;
    for (const operation of place.parents) document.apply(operation);
    if (typeof place.before === "string" && typeof value === "string") {
      this.text = new ShownText(document, place.pointer, place.before);
      this.text.grow(value);
    } else document.apply(settingAt(place, value));
  }

  /** @param rest the pointer of the change inside the value */
  grow(part: JsonPatchOperation, rest: string): void {
    if (rest === "" && part.op === "append" && this.text !== undefined) {
      this.text.grow(part.value);
    } else this.document.grow({ ...part, path: this.pointer + rest });
  }

  end(): void {
    this.text?.end();
  }
}
