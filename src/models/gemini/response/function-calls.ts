import type { Metadata } from "../../../messages/blocks/metadata.js";
import type { JsonObject, JsonValue } from "../../../json/value.js";
import { asList, isRecord, type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { argumentText } from "../../wire/plain-json.js";
import { ArgumentText } from "./argument-text.js";
import { parseJsonPath } from "./json-path.js";

/**
 * Converts the function calls of one message to deltas. Most arrive whole. With `streamFunctionCallArguments`, a call
 * has `willContinue`, and its arguments follow as `partialArgs`: values at JSONPaths. The part without `willContinue`
 * ends the call; some models omit it.
 */
export class FunctionCalls {
  private readonly draft: ChunkDraft;
  private readonly nameOf: (name: string) => string;
  private open: OpenFunctionCall | undefined;
  private last = -1;

  /**
   * @param draft to which the deltas are added
   * @param nameOf the name of our tool, by its name at Gemini
   */
  constructor(draft: ChunkDraft, nameOf = (name: string): string => name) {
    this.draft = draft;
    this.nameOf = nameOf;
  }

  /** @param metadata the metadata of the part */
  read(call: Loose, metadata: Metadata | undefined): void {
    if (this.isGiven(call)) return;
    const name = nonEmptyText(call["name"]);
    const id = nonEmptyText(call["id"]);
    const args = isRecord(call["args"]) ? (call["args"] as JsonObject) : undefined;
    const patches = asList(call["partialArgs"]).filter(isRecord);
    const continues = call["willContinue"] === true;

    const continuesOpen = this.continuesOpen(id, name);
    if (!continuesOpen && name === undefined && args === undefined && patches.length === 0) {
      this.late(metadata);
      return;
    }
    const open = continuesOpen ? (this.open as OpenFunctionCall) : this.begin(id);

    let text = args === undefined ? "" : open.args.writeAll(args);
    for (const patch of patches) text += write(open.args, patch);
    if (!continues) {
      text += open.args.end();
      this.open = undefined;
    }
    const delta = { args: nonEmptyText(text), metadata };
    if (!continuesOpen) {
      const all = id === undefined ? metadata : { ...metadata, id };
      this.draft.addCall(open.block, { ...delta, id, name: name && this.nameOf(name), metadata: all });
    } else if (text !== "" || metadata !== undefined) this.draft.addCall(open.block, delta);
  }

  private isGiven({ id, name, args, partialArgs, willContinue }: Loose): boolean {
    const isWhole = this.open === undefined && willContinue !== true && partialArgs === undefined;
    return (
      isWhole && name !== undefined && this.draft.isGiven(nonEmptyText(id), name, argumentText(args ?? {}))
    );
  }

  private continuesOpen(id: string | undefined, name: string | undefined): boolean {
    return this.open !== undefined && (name === undefined || (id !== undefined && id === this.open.id));
  }

  /** Ends the open call, because the model has finished or started another one. */
  end(): void {
    const { open } = this;
    if (open === undefined) return;
    this.open = undefined;
    const args = open.args.end();
    if (args !== "") this.draft.addCall(open.block, { args });
  }

  /** Ends the open call, and begins another one. */
  private begin(id: string | undefined): OpenFunctionCall {
    this.end();
    this.last = this.draft.nextBlock();
    this.open = { block: this.last, id, args: new ArgumentText() };
    return this.open;
  }

  /** An end without an open call can only carry metadata of its call. */
  private late(metadata: Metadata | undefined): void {
    if (metadata !== undefined && this.last >= 0) this.draft.addCall(this.last, { metadata });
  }
}

interface OpenFunctionCall {
  readonly block: number;
  readonly id: string | undefined;
  readonly args: ArgumentText;
}

function write(args: ArgumentText, patch: Loose): string {
  const value = valueIn(patch);
  if (value === undefined) return "";
  const more = patch["willContinue"] === true && typeof value === "string";
  return args.write(parseJsonPath(patch["jsonPath"]), value, more, patch as JsonObject);
}

/** Returns `undefined` for a patch that only announces its path. */
function valueIn(patch: Loose): JsonValue | undefined {
  for (const key of ["stringValue", "numberValue", "boolValue"]) {
    if (patch[key] !== undefined) return patch[key] as JsonValue;
  }
  return patch["nullValue"] === undefined ? undefined : null;
}
