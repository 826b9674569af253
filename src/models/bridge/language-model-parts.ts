import { setMember, type JsonObject } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { tableOf } from "../../text/words-in.js";
import { base64 } from "../../text/bytes/base64.js";
import { isInstance } from "../../text/thrown.js";
import { aiSdkDecoder, mapSdkUsage } from "../adapters/ai-sdk-decoder.js";
import { asRecord, isRecord, type Loose, nonEmptyText, scalarText } from "../loose.js";
import type { DecoderWire } from "../wire/decoder-stage.js";
import { checkKeyCount, truncatedMessageError, unexpectedError } from "../wire/errors.js";
import { plainFields } from "../wire/plain-json.js";
import { bridgeError } from "./bridge-error.js";
import type { ModelError } from "../contract/errors.js";
import { messageOf } from "../../text/excerpt.js";

/**
 * How a language model of the AI SDK writes a message (`LanguageModelV2StreamPart`, V3 and V4). Its parts are like those
 * of `fullStream`, which the decoder reads, but for their fields:
 *
 *     {type: "text-delta", id: "0", delta: "Hi"}                → {type: "text-delta", id: "0", text: "Hi"}
 *     {type: "finish", finishReason: {unified: "stop"}, usage}  → {type: "finish", finishReason: "stop", totalUsage}
 *
 * @param provider the name of the provider, which is noted in the message: only it reads the metadata of its blocks
 * @param onWarnings called with the warnings of the request
 */
export function languageModelWire(
  provider: string,
  onWarnings: (warnings: readonly Loose[]) => void,
): DecoderWire {
  return {
    create: (draft) => {
      draft.note("provider", provider);
      return aiSdkDecoder(draft, ({ providerMetadata }) => providerMetadata as Metadata | undefined);
    },
    payloads: () => {
      const metadata = new BlockMetadata();
      return (part) => {
        if (!isRecord(part) || typeof part["type"] !== "string") {
          throw unexpectedError("a part of a language model of the AI SDK", part);
        }
        const { warnings, error } = part;
        if (part["type"] === "error") throw streamError(error, provider);
        if (part["type"] === "stream-start" && Array.isArray(warnings)) onWarnings(warnings.filter(isRecord));
        const read = readers.get(part["type"]);
        const known = metadata.joined(part);
        return read === undefined ? [known] : read(known);
      };
    },
    noEnd: "without its finish part",
  };
}

/** The package for servers that are compatible with OpenAI reports a stream that was cut as an error. */
function streamError(error: unknown, provider: string): ModelError {
  const missing = "without a finish reason";
  if (messageOf(error).endsWith(`ended ${missing}.`)) return truncatedMessageError(true, missing);
  return bridgeError(error, provider, true);
}

const readers = tableOf<(part: Loose) => readonly Loose[]>({
  "stream-start": (part) => [{ ...part, type: "start-step" }],
  "response-metadata": ({ id, modelId }) => [{ type: "finish-step", response: { id, modelId } }],
  ping: () => [],
  "text-delta reasoning-delta": (part) => [{ ...part, text: part["delta"] }],
  "tool-result": (part) => [readResult(part)],
  file: (part) => [readFile(part)],
  finish: readFinish,
});

/**
 * Providers spread metadata over the parts of a block: an item id at its start, encrypted reasoning at its end. A part
 * gets all fields of the providers that it names, as plain data. The message has those of the others from earlier parts.
 */
class BlockMetadata {
  private readonly blocks = new Map<string, Map<string, JsonObject>>();
  private readonly names = new Set<string>();

  joined(part: Loose): Loose {
    const { providerMetadata: added, ...others } = part;
    if (added === undefined) return part;
    const [kind = ""] = String(part["type"]).split("-");
    const name = blockKinds.has(kind) ? `${kind} ${scalarText(part["id"] ?? part["toolCallId"])}` : undefined;
    const known = this.blocks.get(name ?? "") ?? new Map<string, JsonObject>();
    if (name !== undefined) this.blocks.set(name, known);
    const providerMetadata: JsonObject = {};
    for (const [provider, fields] of Object.entries(asRecord(added))) {
      if (fields === null || fields === undefined) continue;
      const joined = { ...known.get(provider), ...plainFields(fields) };
      for (const field in joined) this.names.add(field);
      if (name !== undefined) known.set(provider, joined);
      setMember(providerMetadata, provider, joined);
    }
    checkKeyCount(this.names.size);
    return Object.keys(providerMetadata).length === 0 ? others : { ...others, providerMetadata };
  }
}

const blockKinds: ReadonlySet<string> = new Set(["text", "reasoning", "tool"]);

/** V2 and V3 have `result` and `isError`. */
function readResult(part: Loose): Loose {
  const { result, isError } = part;
  const failed = isError === true;
  return {
    ...part,
    type: failed ? "tool-error" : "tool-result",
    providerExecuted: true,
    [failed ? "error" : "output"]: result ?? part["output"],
  };
}

/** The data is base64, bytes, or from V4 on `{type: "data", data}` or `{type: "url", url}`. */
function readFile({ mediaType, data, ...part }: Loose): Loose {
  const { data: inner = data } = asRecord(data);
  const text = isInstance(inner, Uint8Array) ? base64(inner) : inner;
  return { ...part, file: { base64: text, mediaType } };
}

/** The packages end a stream that was cut with a part without a reason and usage. Without it, the end is missing. */
function readFinish(part: Loose): readonly Loose[] {
  const { finishReason, usage, providerMetadata } = part;
  const { unified = finishReason, raw } = asRecord(finishReason);
  const isMadeUp = unified === "other" || unified === "interrupted" || unified === "unknown";
  if (isMadeUp && raw === undefined && mapSdkUsage(usage) === undefined) return [];
  return [
    {
      type: "finish",
      finishReason: unified,
      rawFinishReason: nonEmptyText(raw),
      totalUsage: usage,
      providerMetadata,
    },
  ];
}
