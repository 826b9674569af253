import type { Metadata } from "../../../messages/blocks/metadata.js";
import type { JsonObject, JsonValue } from "../../../json/value.js";
import { isRecord, type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { argumentText } from "../../wire/plain-json.js";
import { ArgumentText } from "./argument-text.js";
import { parseJsonPath } from "./json-path.js";

export interface FunctionCalls {
  read(call: Loose, metadata: Metadata | undefined): void;
  /** Ends the open call, because the model has finished or started another one. */
  readonly end: () => void;
}

/**
 * Converts the function calls of one message to deltas. Most arrive whole. With `streamFunctionCallArguments`, a call
 * has `willContinue`, and its arguments follow as `partialArgs`: values at JSONPaths. The part without `willContinue`
 * ends the call; some models omit it.
 */
export function functionCalls(draft: ChunkDraft, nameOf = (name: string): string => name): FunctionCalls {
  let open: OpenFunctionCall | undefined;
  let last = -1;

  const end = (): void => {
    const args = open?.args.end() ?? "";
    if (open !== undefined && args !== "") draft.addCall(open.block, { args });
    open = undefined;
  };
  const isGiven = ({ id, name, args, partialArgs, willContinue }: Loose): boolean => {
    const isWhole = open === undefined && willContinue !== true && partialArgs === undefined;
    return isWhole && name !== undefined && draft.isGiven(nonEmptyText(id), name, argumentText(args ?? {}));
  };
  const continued = (id: string | undefined, name: string | undefined): OpenFunctionCall | undefined =>
    name === undefined || (id !== undefined && id === open?.id) ? open : undefined;
  const begin = (id: string | undefined): OpenFunctionCall => {
    end();
    last = draft.nextBlock();
    return { block: last, id, args: new ArgumentText() };
  };
  const read = (call: Loose, metadata: Metadata | undefined): void => {
    if (isGiven(call)) return;
    const name = nonEmptyText(call["name"]);
    const id = nonEmptyText(call["id"]);
    const sent = (call["args"] as JsonValue | undefined) ?? undefined;
    const args = isRecord(sent) || name !== undefined ? sent : undefined;

    const before = continued(id, name);
    const patches = patchesIn(call["partialArgs"], before !== undefined);
    if (before === undefined && name === undefined && args === undefined && patches.length === 0) {
      // An end without an open call can only carry metadata of its call.
      if (metadata !== undefined && last >= 0) draft.addCall(last, { metadata });
      return;
    }
    const current = before ?? begin(id);
    open = current;
    let text = args === undefined ? "" : current.args.writeAll(args);
    for (const patch of patches) text += write(current.args, patch);
    if (call["willContinue"] !== true) {
      text += current.args.end();
      open = undefined;
    }
    const delta = { args: nonEmptyText(text), metadata };
    if (before === undefined) {
      const all = id === undefined ? metadata : { ...metadata, id };
      draft.addCall(current.block, { ...delta, id, name: name && nameOf(name), metadata: all });
    } else if (text !== "" || metadata !== undefined) draft.addCall(current.block, delta);
  };
  return { read, end };
}

interface OpenFunctionCall {
  readonly block: number;
  readonly id: string | undefined;
  readonly args: ArgumentText;
}

/** What is no patch makes an open call invalid, as a patch without a path does. */
function patchesIn(sent: unknown, isOpen: boolean): readonly Loose[] {
  return [sent ?? []].flat().flatMap((it) => (isRecord(it) ? [it] : isOpen ? [{ it }] : []));
}

function write(args: ArgumentText, patch: Loose): string {
  const value = valueIn(patch);
  const { jsonPath, willContinue, ...values } = patch;
  if (value === undefined && Object.keys(values).length === 0) return "";
  const more = willContinue === true && typeof value === "string";
  const path = value === undefined ? undefined : parseJsonPath(jsonPath);
  return args.write(path, value ?? null, more, patch as JsonObject);
}

/** Returns `undefined` for a patch that only announces its path, or has a value of an unknown kind. */
function valueIn({ stringValue, numberValue, boolValue, nullValue }: Loose): JsonValue | undefined {
  const value = [stringValue, numberValue, boolValue].find((it) => it !== undefined);
  return value === undefined && nullValue !== undefined ? null : (value as JsonValue | undefined);
}
