import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import type { JsonObject } from "../../../json/value.js";
import { ModelError } from "../../../models/contract/errors.js";
import type { Fetch } from "../../../models/http/http.js";
import { isRetryable } from "../../../models/http/retry-delay.js";
import { systemClock } from "../../../stream/time/clock.js";
import { sleep } from "../../../stream/time/sleep.js";
import { isInstance } from "../../../text/thrown.js";
import { anthropicBatches } from "./anthropic-batches.js";
import type { BatchAnswer, BatchApi, BatchClaim } from "./batch-api.js";
import { openaiBatches } from "./openai-batches.js";

/** The record of the last batch. Without an id, the batch may have been created or not. */
interface BatchRecord extends BatchClaim {
  readonly id?: string;
}

export interface BatchSenderOptions {
  readonly provider: "openai" | "anthropic";
  readonly signal: AbortSignal;
  /** Whether requests that failed in the last batch of an earlier run are sent again. */
  readonly retryErrors: boolean;
}

interface WaitingRequest {
  readonly body: JsonObject;
  readonly size: number;
  readonly resolve: (answer: BatchAnswer) => void;
}

/**
 * Takes the place of `fetch()` of a model: it collects requests until none comes for half a second, sends them as one
 * batch, and answers them when the batch has ended. One batch is under way at a time, so when one begins, the answers
 * of the last one are used.
 *
 * A batch is recorded before it is created and when it has an id. A run that continues asks the provider for it, and
 * its answers are for the same requests, because a request is known by its content.
 */
export class BatchSender {
  /** Aborted with the error that ends the run. */
  readonly failed = new AbortController();
  private readonly file: string;
  private readonly provider: "openai" | "anthropic";
  private readonly signal: AbortSignal;
  private readonly retryErrors: boolean;
  private api: BatchApi | undefined;
  /** Answers to the last batch of an earlier run. */
  private earlier: Map<string, BatchAnswer> | undefined;
  private readonly waiting = new Map<string, WaitingRequest>();
  private timer: NodeJS.Timeout | undefined;
  private busy = false;

  constructor(file: string, { provider, signal, retryErrors }: BatchSenderOptions) {
    this.file = file;
    this.provider = provider;
    this.signal = signal;
    this.retryErrors = retryErrors;
  }

  readonly fetch: Fetch = async (url, { headers, body }) => {
    this.api ??= this.open(url, new Headers(headers));
    const text = body as string;
    const answer = await new Promise<BatchAnswer>((resolve) => {
      const key = createHash("sha256").update(text).digest("hex").slice(0, 24);
      let id = key;
      for (let count = 2; this.waiting.has(id); count++) id = `${key}-${count}`;
      this.waiting.set(id, { body: JSON.parse(text) as JsonObject, size: text.length * 2, resolve });
      this.plan();
    });
    const isGood = answer.status === 200;
    return new Response(isGood ? this.api.toStream(answer.body) : JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "content-type": isGood ? "text/event-stream" : "application/json" },
    });
  };

  private open(url: string, headers: Headers): BatchApi {
    const place = {
      base: url.replace(/(?:chat\/completions|messages)(?:\?.*)?$/, ""),
      headers,
      signal: this.signal,
    };
    return this.provider === "openai" ? openaiBatches(place) : anthropicBatches(place);
  }

  private plan(): void {
    if (this.busy || this.signal.aborted || this.failed.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.busy = true;
      this.work()
        .catch((error: unknown) => {
          this.failed.abort(error);
        })
        .finally(() => {
          this.busy = false;
          if (this.waiting.size > 0) this.plan();
        });
    }, quiet);
  }

  /** Answers what an earlier batch has answers for, or sends a batch. */
  private async work(): Promise<void> {
    const api = this.api as BatchApi;
    this.earlier ??= await this.lastBatch(api);
    if (this.answer(this.earlier) > 0) return;
    const chosen = this.next(api);
    const token = randomUUID().slice(0, 8);
    const claim = { token, size: chosen.length, at: Date.now() };
    await this.record(claim);
    const requests = chosen.map(([id, { body }]) => ({ id: `${token}-${id}`, body }));
    const id = await api.submit(requests, token);
    await this.record({ ...claim, id });
    const answers = await this.ended(api, id, token);
    this.answer(answers);
    const unanswered = { status: 400, body: { error: { message: "The batch ended without an answer." } } };
    this.answer(new Map(chosen.map(([name]) => [name, unanswered])));
  }

  /** The requests of the next batch, within the limits of the provider. */
  private next({ maxRequests, maxBytes }: BatchApi): [string, WaitingRequest][] {
    const chosen: [string, WaitingRequest][] = [];
    let bytes = 0;
    for (const entry of this.waiting) {
      bytes += entry[1].size + 200;
      if (chosen.length >= maxRequests || (bytes > maxBytes && chosen.length > 0)) break;
      chosen.push(entry);
    }
    return chosen;
  }

  private async lastBatch(api: BatchApi): Promise<Map<string, BatchAnswer>> {
    const text = await readFile(this.file, "utf8").catch(() => undefined);
    if (text === undefined) return new Map();
    const record = JSON.parse(text) as BatchRecord;
    if (record.at < Date.now() - keptAnswers) return new Map();
    const { id = await api.find(record) } = record;
    if (id === undefined) return new Map();
    try {
      const answers = await this.ended(api, id, record.token);
      return new Map([...answers].filter(([, { status }]) => status === 200 || !this.retryErrors));
    } catch (error) {
      // The provider refused the batch as a whole, so its requests are sent again.
      if (isInstance(error, ModelError) && error.code === "provider") return new Map();
      throw error;
    }
  }

  private async ended(api: BatchApi, id: string, token: string): Promise<Map<string, BatchAnswer>> {
    for (let delay = 500; ; delay = Math.min(delay * 1.5, 60_000)) {
      await sleep(delay, systemClock, this.signal);
      this.signal.throwIfAborted();
      try {
        const answers = await api.answers(id);
        if (answers === undefined) continue;
        return new Map([...answers].map(([name, answer]) => [name.replace(`${token}-`, ""), answer]));
      } catch (error) {
        if (!isRetryable(error)) throw error;
      }
    }
  }

  /** Each answer is used once, because a request that failed may be sent again. */
  private answer(answers: Map<string, BatchAnswer>): number {
    let count = 0;
    for (const [id, answer] of answers) {
      const request = this.waiting.get(id);
      if (request === undefined) continue;
      this.waiting.delete(id);
      answers.delete(id);
      request.resolve(answer);
      count++;
    }
    return count;
  }

  private async record(record: BatchRecord): Promise<void> {
    await writeFile(`${this.file}.next`, JSON.stringify(record), { flush: true, mode: 0o600 });
    await rename(`${this.file}.next`, this.file);
  }
}

/** Milliseconds without a new request until a batch is sent. */
const quiet = 500;
/** How long a provider keeps the answers: 29 days at Anthropic, in milliseconds. */
const keptAnswers = 29 * 86_400_000;
