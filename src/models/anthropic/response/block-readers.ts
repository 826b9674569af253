import type { JsonObject } from "../../../json/value.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import type { CallChunkBlock } from "../../../messages/merge/delta.js";
import { noop } from "../../../stream/core/result.js";
import { isRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { argumentText } from "../../wire/plain-json.js";
import { toAnnotation } from "../citations.js";
import { joined, OwnFields } from "../own-fields.js";

/** Adds a block of a message to the draft while it arrives. */
export interface BlockReader {
  begin(): void;
  read(delta: Loose): void;
  end(): void;
  /** Called instead of `end()` when the stream was cut. Adds content that only the end would have added. */
  cut?(): void;
}

/** @param index the index of the block in the whole stream */
export function blockReader(start: Loose, index: number, draft: ChunkDraft): BlockReader {
  const { type } = start;
  switch (type) {
    case "text":
    case "thinking":
      return new WrittenReader(type, start, index, draft);
    case "redacted_thinking":
      return wholeReader(draft, () => {
        draft.write("reasoning", index, "", { metadata: { type, data: nonEmptyText(start["data"]) ?? "" } });
      });
    case "tool_use":
      return new ToolUseReader("tool_call_chunk", start, index, draft);
    case "server_tool_use":
    case "mcp_tool_use":
      return new ToolUseReader("server_tool_call_chunk", start, index, draft);
    default:
      return resultReader(start, draft) ?? rawReader(start, draft);
  }
}

/**
 * Reads a text or a thought. The empty start gives no chunk, because a request that fails before its first text is
 * retried.
 */
class WrittenReader implements BlockReader {
  private readonly kind: "text" | "thinking";
  private readonly start: Loose;
  private readonly index: number;
  private readonly draft: ChunkDraft;
  private readonly own: OwnFields;
  private began = false;

  constructor(kind: "text" | "thinking", start: Loose, index: number, draft: ChunkDraft) {
    this.kind = kind;
    this.start = start;
    this.index = index;
    this.draft = draft;
    const { type: _type, [kind]: _written, citations: _citations, signature: _signature, ...others } = start;
    this.own = new OwnFields(others);
  }

  begin(): void {
    this.write(this.start);
  }

  read(delta: Loose): void {
    switch (delta["type"]) {
      case `${this.kind}_delta`:
      case "signature_delta":
        this.write(delta);
        break;
      case "citations_delta":
        this.give("", undefined, [delta["citation"]]);
        break;
      default:
        this.own.add(delta);
        this.give("", this.own.metadata);
    }
  }

  end(): void {
    if (!this.began) this.give("");
  }

  private write(fields: Loose): void {
    const written = nonEmptyText(fields[this.kind]);
    const signature = nonEmptyText(fields["signature"]);
    if (written === undefined && signature === undefined) return;
    this.give(written ?? "", signature === undefined ? undefined : { signature });
  }

  private give(written: string, metadata?: Metadata, added?: readonly unknown[]): void {
    const { kind, index, began } = this;
    this.began = true;
    const first = began ? undefined : this.own.metadata;
    if (kind === "thinking") this.draft.write("reasoning", index, written, { metadata }, first);
    else {
      // An empty list means that the text supports citations.
      const { citations } = this.start;
      const all =
        began || !Array.isArray(citations) ? added : [...(citations as unknown[]), ...(added ?? [])];
      this.draft.write("text", index, written, { annotations: all?.map(toAnnotation), metadata }, first);
    }
  }
}

/**
 * Reads a call of our tools or of the provider's. Its input starts as `{}` and arrives as pieces of JSON. Some servers
 * send it whole at the start.
 *
 * A gateway may send a call once more. Only its end tells, so a call with a known id waits for it.
 */
class ToolUseReader implements BlockReader {
  private readonly type: CallChunkBlock["type"];
  private readonly start: Loose;
  private readonly index: number;
  private readonly draft: ChunkDraft;
  private readonly own: OwnFields;
  private readonly id: string | undefined;
  private readonly waits: boolean;
  private args: string | undefined;

  constructor(type: CallChunkBlock["type"], start: Loose, index: number, draft: ChunkDraft) {
    this.type = type;
    this.start = start;
    this.index = index;
    this.draft = draft;
    const { type: own, id, name: _name, input: _input, ...others } = start;
    const isOurs = type === "tool_call_chunk";
    this.own = new OwnFields(others, isOurs ? undefined : String(own));
    this.id = nonEmptyText(id);
    this.waits = isOurs && this.id !== undefined && !draft.isNew(`the call ${this.id}`, true);
  }

  begin(): void {
    if (!this.waits) this.give();
  }

  read(delta: Loose): void {
    if (delta["type"] === "input_json_delta") this.write(nonEmptyText(delta["partial_json"]));
    else {
      this.own.add(delta);
      if (!this.waits) this.draft.addCall(this.index, { metadata: this.own.metadata }, this.type);
    }
  }

  /** A call without arguments gets an empty object now, so the tool can start while the model continues. */
  end(): void {
    if (this.args === undefined) this.write(argumentText(this.start["input"] ?? {}));
    if (this.type !== "tool_call_chunk") return;
    const isGiven = this.draft.isGiven(this.id, this.start["name"], this.args ?? "");
    if (this.waits && !isGiven) this.give(this.args);
  }

  private write(args: string | undefined): void {
    if (args === undefined) return;
    this.args = (this.args ?? "") + args;
    if (!this.waits) this.draft.addCall(this.index, { args }, this.type);
  }

  private give(args?: string): void {
    const name = nonEmptyText(this.start["name"]);
    this.draft.addCall(this.index, { id: this.id, name, args, metadata: this.own.metadata }, this.type);
  }
}

/** Reads a block that is complete at its start. */
function wholeReader(draft: ChunkDraft, begin: () => void): BlockReader {
  const read = (delta: Loose): void => draft.addOther({ type: "content_block_delta", delta });
  return { begin, read, end: noop };
}

/** Reads a block without a counterpart, such as `container_upload` or `compaction`, and adds it at its end. */
function rawReader(start: Loose, draft: ChunkDraft): BlockReader {
  let value = start as JsonObject;
  const end = (): void => draft.addOther(value);
  const read = ({ type: _, ...fields }: Loose): void => {
    value = joined(value, fields);
  };
  return { begin: noop, read, end, cut: end };
}

/** Reads the result of a provider tool: `web_search_tool_result`, `mcp_tool_result` and similar blocks. */
function resultReader(start: Loose, draft: ChunkDraft): BlockReader | undefined {
  const { type, tool_use_id: id, content, ...others } = start;
  if (typeof type !== "string" || !type.endsWith("_tool_result") || typeof id !== "string") return undefined;
  const failed =
    others["is_error"] === true || (isRecord(content) && scalarText(content["type"]).endsWith("_error"));
  return wholeReader(draft, () => {
    draft.addResult(id, failed, content, new OwnFields(others, type).metadata);
  });
}
