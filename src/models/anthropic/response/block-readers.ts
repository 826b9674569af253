import { tableOf } from "../../../text/words-in.js";
import type { JsonObject } from "../../../json/value.js";
import type { Metadata } from "../../../messages/blocks/metadata.js";
import { asRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { lostPiece } from "../../wire/call-deltas.js";
import { argumentsIn, argumentText } from "../../wire/plain-json.js";
import { toAnnotation } from "../citations.js";
import { joined, OwnFields } from "../own-fields.js";

export interface BlockReader {
  begin?(): void;
  /** Reads a start that comes after deltas. Returns the reader of the block. */
  start?(start: Loose): BlockReader;
  read(delta: Loose): void;
  end?(): void;
  /** Called after the end if another block follows. */
  beforeNext?(): void;
  /** Called instead of `end()` when the stream was cut. Adds content that only the end would have added. */
  cut?(): void;
}

export function blockReader(start: Loose, index: number, draft: ChunkDraft): BlockReader {
  const { type } = start;
  switch (type) {
    case "text":
    case "thinking":
      return writtenReader(start, index, draft);
    case "redacted_thinking":
      return wholeReader(draft, () => {
        draft.write("reasoning", index, "", { metadata: { type, data: nonEmptyText(start["data"]) ?? "" } });
      });
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return toolUseReader(start, index, draft);
    default:
      return resultReader(start, draft) ?? rawReader(start, draft);
  }
}

/** A block whose first delta comes before its start. Arguments wait for it, because it has the name of their call. */
export function unstartedReader(delta: Loose, index: number, draft: ChunkDraft): BlockReader {
  const type = scalarText(delta["type"]);
  if (type !== "input_json_delta") return blockReader({ type: startOf.get(type) ?? type }, index, draft);
  const deltas: Loose[] = [];
  draft.addCall(index, {});
  const replay = (reader: BlockReader): BlockReader => {
    for (const it of deltas) reader.read(it);
    return reader;
  };
  const replayUnnamed = (): BlockReader => replay(blockReader({ type: "tool_use" }, index, draft));
  return {
    start(start) {
      const reader = blockReader(start, start["type"] === "tool_use" ? index : draft.nextBlock(), draft);
      reader.begin?.();
      return replay(reader);
    },
    read: (it) => deltas.push(it),
    end: () => replayUnnamed().end?.(),
    cut: replayUnnamed,
  };
}

const startOf = tableOf({
  "text_delta citations_delta": "text",
  "thinking_delta signature_delta": "thinking",
});

/** The empty start gives no chunk, because a request that fails before its first text is retried. */
function writtenReader(start: Loose, index: number, draft: ChunkDraft): BlockReader {
  const kind = start["type"] === "thinking" ? "thinking" : "text";
  const { type: _type, [kind]: _written, citations: _citations, signature: _signature, ...others } = start;
  const own = new OwnFields(others);
  let began = false;

  const give = (written: string, metadata?: Metadata, added?: readonly unknown[]): void => {
    const first = began ? undefined : own.metadata;
    if (kind === "thinking") draft.write("reasoning", index, written, { metadata, first });
    else {
      // An empty list means that the text supports citations.
      const { citations } = start;
      const all =
        began || !Array.isArray(citations) ? added : [...(citations as unknown[]), ...(added ?? [])];
      draft.write("text", index, written, { annotations: all?.map(toAnnotation), metadata, first });
    }
    began = true;
  };
  const write = (fields: Loose): void => {
    const written = nonEmptyText(fields[kind]);
    const signature = nonEmptyText(fields["signature"]);
    if (written === undefined && signature === undefined) return;
    give(written ?? "", signature === undefined ? undefined : { signature });
  };
  return {
    begin: () => write(start),
    read(delta) {
      switch (delta["type"]) {
        case `${kind}_delta`:
        case "signature_delta":
          write(delta);
          break;
        case "citations_delta":
          give("", undefined, [delta["citation"]]);
          break;
        default:
          own.add(delta);
          give("", own.metadata);
      }
    },
    end() {
      if (!began) give("");
    },
  };
}

/**
 * Reads a call of our tools or of the provider's. Its input starts as `{}` and arrives as pieces of JSON. Some servers
 * send it whole at the start.
 *
 * A gateway may send a call once more. Only its end tells, so a call with a known id waits for it.
 */
function toolUseReader(start: Loose, index: number, draft: ChunkDraft): BlockReader {
  const { type: kind, id: given, name: _name, input: _input, ...others } = start;
  const isOurs = kind === "tool_use";
  const type = isOurs ? "tool_call_chunk" : "server_tool_call_chunk";
  const own = new OwnFields(others, isOurs ? undefined : String(kind));
  const id = nonEmptyText(given);
  const waits = isOurs && id !== undefined && !draft.isNew(`the call ${id}`, true);
  let args: string | undefined;
  let isEmpty = false;
  let error: string | undefined;

  const write = (piece: string | undefined): void => {
    if (piece === undefined) return;
    args = (args ?? "") + piece;
    if (!waits) draft.addCall(index, { args: piece }, type);
  };
  const give = (): void => {
    const name = nonEmptyText(start["name"]);
    draft.addCall(index, { id, name, args, metadata: own.metadata, error }, type);
  };
  return {
    begin() {
      if (!waits) give();
    },
    read(delta) {
      if (delta["type"] === "input_json_delta") write(argumentsIn(delta["partial_json"]));
      else {
        own.add(delta);
        if (typeof delta["type"] !== "string") error = lostPiece;
        if (!waits) draft.addCall(index, { metadata: own.metadata, error }, type);
      }
    },
    end() {
      const input = argumentText(start["input"] ?? {});
      isEmpty = isOurs && !waits && args === undefined && input === "{}";
      if (args === undefined && !isEmpty) write(input);
      if (!isOurs) return;
      const isGiven = draft.isGiven(id, start["name"], args ?? "{}");
      if (waits && !isGiven) give();
    },
    /** The tool can start while the model continues. At the end of the message, the token limit may have cut the call. */
    beforeNext() {
      if (isEmpty) write("{}");
    },
  };
}

function wholeReader(draft: ChunkDraft, begin: () => void): BlockReader {
  const read = (delta: Loose): void => draft.addOther({ type: "content_block_delta", delta });
  return { begin, read };
}

/** Reads a block without a counterpart, such as `container_upload` or `compaction`, and adds it at its end. */
function rawReader(start: Loose, draft: ChunkDraft): BlockReader {
  let value = start as JsonObject;

  const end = (): void => draft.addOther(value);
  const read = ({ type: _, ...fields }: Loose): void => {
    value = joined(value, fields);
  };
  return { read, end, cut: end };
}

/** Reads the result of a provider tool: `web_search_tool_result`, `mcp_tool_result` and similar blocks. */
function resultReader(start: Loose, draft: ChunkDraft): BlockReader | undefined {
  const { type, tool_use_id: id, content, ...others } = start;
  if (typeof type !== "string" || !type.endsWith("_tool_result") || typeof id !== "string") return undefined;
  const failed = others["is_error"] === true || scalarText(asRecord(content)["type"]).endsWith("_error");
  return wholeReader(draft, () => {
    draft.addResult(id, failed, content, new OwnFields(others, type).metadata);
  });
}
