import type { ContentBlock } from "../../messages/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { MessageFields } from "../../messages/merge-fields.js";
import type { Metadata } from "../../messages/metadata.js";
import { ModelError } from "../errors.js";
import { CallDeltas } from "./call-deltas.js";
import { isRecord, type Loose } from "../loose.js";
import { finishReasonOf } from "./finish-reason.js";
import { readProviderError, streamError } from "../provider-error.js";
import { usageOf } from "./usage.js";

/** One message, payload by payload. */
export class ChatDecoder {
  /** New since the last chunk. The first payload is often a role and an id alone: its news wait for a chunk that says more. */
  private news: News = {};
  private id: unknown;
  private model: unknown;
  private readonly told = new Set<string>();

  private blocks = 0;
  private text: number | undefined;
  private reasoning: number | undefined;
  private readonly calls = new CallDeltas(() => this.blocks++);

  private answered = false;
  private finished = false;

  /** What the payload adds to the message, if anything. */
  read(payload: Loose): MessageChunk | undefined {
    const choices = payload["choices"];
    const choice = Array.isArray(choices) ? firstChoice(choices) : undefined;
    if (choice === undefined || payload["error"] !== undefined) {
      const error = readProviderError(payload);
      if (error !== undefined) throw streamError(error);
    }
    this.readHead(payload);
    const content: ContentBlock[] = [];
    let says = false;
    if (choice !== undefined) {
      this.answered = true;
      says = this.readChoice(choice, content);
    }
    const counts = payload["usage"] ?? groqUsage(payload);
    const usage = isRecord(counts) ? usageOf(counts) : undefined;
    if (usage !== undefined) this.news.usage = usage;
    if (!says && usage === undefined) return undefined;
    const { news } = this;
    this.news = {};
    return { content, ...news };
  }

  /** @param marked the stream ended with `[DONE]`, which stands in for a finish reason that the server forgot */
  end(marked: boolean): void {
    if (this.finished || (marked && this.answered)) return;
    if (this.answered) {
      throw new ModelError(
        "cut",
        "The connection ended in the middle of the message, without a finish reason.",
        {
          retryable: true,
        },
      );
    }
    if (marked)
      throw new ModelError("protocol", "The stream ended without an answer: no payload had a choice.");
    throw new ModelError("cut", "The connection ended before the message began.", { retryable: true });
  }

  private readHead(payload: Loose): void {
    const { id, model } = payload;
    if (id !== this.id && typeof id === "string" && id !== "") {
      this.id = id;
      this.news.id = id;
    }
    if (model !== this.model && typeof model === "string" && model !== "") {
      this.model = model;
      this.news.model = model;
    }
    for (const key of metadataKeys) {
      const value = payload[key];
      if ((typeof value !== "string" && typeof value !== "number") || this.told.has(key)) continue;
      this.told.add(key);
      this.news.metadata = { ...this.news.metadata, [key]: value };
    }
  }

  private readChoice(choice: Loose, content: ContentBlock[]): boolean {
    const delta = choice["delta"] ?? choice["message"];
    if (isRecord(delta)) this.readDelta(delta, content);
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") {
      this.finished = true;
      this.news.finishReason = finishReasonOf(reason);
      this.news.providerFinishReason = reason;
      return true;
    }
    return content.length > 0 || this.news.refusal !== undefined;
  }

  private readDelta(delta: Loose, content: ContentBlock[]): void {
    this.addReasoning(reasoningIn(delta), content);
    const said = delta["content"];
    if (Array.isArray(said)) for (const part of said) this.readPart(part, content);
    else this.addText(said, content);
    const calls = delta["tool_calls"];
    if (Array.isArray(calls)) {
      for (const call of calls) {
        const block = this.calls.read(call);
        if (block !== undefined) content.push(block);
      }
    }
    const refusal = delta["refusal"];
    if (typeof refusal === "string" && refusal !== "")
      this.news.refusal = (this.news.refusal ?? "") + refusal;
  }

  /** Mistral writes `{type: "text", text}` and `{type: "thinking", thinking: [{type: "text", text}]}`. */
  private readPart(part: unknown, content: ContentBlock[]): void {
    if (!isRecord(part)) return;
    const { thinking } = part;
    if (part["type"] === "thinking" && Array.isArray(thinking)) {
      for (const thought of thinking) if (isRecord(thought)) this.addReasoning(thought["text"], content);
    } else if (part["type"] === "thinking") this.addReasoning(thinking, content);
    else this.addText(part["text"], content);
  }

  private addText(text: unknown, content: ContentBlock[]): void {
    if (typeof text !== "string" || text === "") return;
    content.push({ type: "text", index: (this.text ??= this.blocks++), text });
  }

  private addReasoning(reasoning: unknown, content: ContentBlock[]): void {
    if (typeof reasoning !== "string" || reasoning === "") return;
    content.push({ type: "reasoning", index: (this.reasoning ??= this.blocks++), reasoning });
  }
}

type News = { -readonly [Key in keyof MessageFields]: MessageFields[Key] };

/** Told once, by the first payload that has them: `created` moves on with each chunk at some servers. */
const metadataKeys = ["created", "system_fingerprint", "service_tier"] as const satisfies (keyof Metadata)[];

/** With `n` above 1 the choices come mixed; without an index there is one. */
function firstChoice(choices: readonly unknown[]): Loose | undefined {
  for (const choice of choices) if (isRecord(choice) && (choice["index"] ?? 0) === 0) return choice;
  return undefined;
}

/** Some servers send both, with the same text; and "" in the one that they do not use. */
function reasoningIn({ reasoning_content, reasoning }: Loose): unknown {
  return typeof reasoning_content === "string" && reasoning_content !== "" ? reasoning_content : reasoning;
}

/** Groq's older servers report only here. */
function groqUsage(payload: Loose): unknown {
  const own = payload["x_groq"];
  return isRecord(own) ? own["usage"] : undefined;
}
