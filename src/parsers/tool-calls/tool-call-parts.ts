import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonRepair } from "../../json/repair.js";
import { isObject, type JsonObject } from "../../json/value.js";
import { type CallBlock, type HasContent, isCallBlock } from "../../messages/blocks/read.js";

/** Which calls to read, and whether to include their ids. */
export interface Selection {
  readonly name: string | undefined;
  readonly firstOnly: boolean;
  readonly returnId: boolean;
}

/** Receives the repairs in the arguments of a call. */
export type OnCallRepair = (repair: JsonRepair, call: { readonly id: string; readonly name: string }) => void;

/** Receives the coercions of the arguments of a call. */
export type OnCallCoercion = (
  coercion: JsonCoercion,
  call: { readonly id: string; readonly name: string },
) => void;

/** A call that may still be streaming. */
export interface ToolCallPart {
  readonly id?: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly complete: boolean;
}

/** The selected calls. A call counts once its arguments begin, because until then its name may still grow. */
export function selectedCalls({ content }: HasContent, { name, firstOnly }: Selection): CallBlock[] {
  const calls = content.filter(
    (block): block is CallBlock =>
      isCallBlock(block) && hasBegun(block) && (name === undefined || block.name === name),
  );
  return firstOnly ? calls.slice(0, 1) : calls;
}

/** Returns an immutable view of a call. */
export function toolCallPart(block: CallBlock, { returnId }: Selection): ToolCallPart {
  return {
    ...(returnId ? { id: block.id ?? "" } : undefined),
    name: block.name ?? "",
    args: argsOf(block),
    complete: block.type === "tool_call",
  };
}

function hasBegun(block: CallBlock): boolean {
  return block.type !== "tool_call_chunk" || (block.args !== undefined && block.args !== "");
}

function argsOf(block: CallBlock): JsonObject {
  if (block.type === "tool_call") return block.args;
  const value = block.type === "tool_call_chunk" ? block.snapshot : undefined;
  return isObject(value) ? value : {};
}
