import { randomUUID } from "node:crypto";
import type { Journal } from "../../agent/journal.js";
import type { JsonObject } from "../../json/value.js";
import { ModelError } from "../../models/contract/errors.js";
import type { Fetch } from "../../models/contract/provider-options.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { isInstance } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import { jsonText } from "../../text/json-text.js";
import { getOrInsert } from "../../tree/made-once.js";
import { sha256 } from "../sha256.js";
import { NumberingJournal } from "../step-names.js";
import { anthropicBatches } from "./anthropic-batches.js";
import {
  type BatchAnswer,
  type BatchApi,
  type BatchClaim,
  type BatchPlace,
  countInBatch,
  polled,
} from "./batch-api.js";
import { openaiBatches } from "./openai-batches.js";

export interface BatchSenderOptions {
  readonly provider: "openai" | "anthropic";
  readonly journal: Journal;
  readonly retryErrors: boolean;
  /** Sends the requests to the batch endpoints. */
  readonly fetch: Fetch;
}

interface RecordedBatch extends BatchClaim {
  /** Whether an earlier run has recorded it. */
  readonly isEarlier: boolean;
}

/** A batch that was created, and whose answers are not read yet. */
interface CreatedBatch extends RecordedBatch {
  readonly id: string;
}

interface WaitingRequest {
  /** The hash of the text. */
  readonly key: string;
  readonly text: string;
  readonly resolve: (answer: BatchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes the place of `fetch()` of a model: it collects requests until none comes for a while, sends them as one batch,
 * and answers them when the batch has ended. One batch is under way at a time.
 *
 * A batch has two steps in the journal: its requests before it is created, and its id. A run that continues asks the
 * provider for the answers of all batches with requests that it makes again. A request is known by its content, so
 * equal requests may take the answers of each other.
 */
export function batchFetch(options: BatchSenderOptions): Fetch {
  const ids = new NumberingJournal(options.journal);
  const waiting = new Set<WaitingRequest>();
  const apiAt = options.provider === "openai" ? openaiBatches : anthropicBatches;
  let place: Omit<BatchPlace, "signal"> | undefined;
  /** The number of the next batch in the journal. */
  let next = 1;
  /** This batch, if its requests are recorded and its id is not. */
  let claim: RecordedBatch | undefined;
  const batches = new Set<CreatedBatch>();
  /** Answers that no request has asked for, by the hash of their requests. */
  const answers = new Map<string, BatchAnswer[]>();
  let quiet = shortestQuiet;
  let timer: NodeJS.Timeout | undefined;
  let working: AbortController | undefined;

  const fetch: Fetch = async (url, { headers, body, signal }) => {
    place ??= {
      fetch: options.fetch,
      base: url.replace(/(?:chat\/completions|messages)(?:\?.*)?$/, ""),
      headers: new Headers(headers),
    };
    const { status, body: answer } = await ask(body as string, signal as AbortSignal);
    // Unlike `Response.json()`, at any depth.
    return new Response(jsonText(answer).text, { status, headers: { "content-type": "application/json" } });
  };

  const ask = (text: string, signal: AbortSignal): Promise<BatchAnswer> => {
    const key = sha256(text, hashLength);
    return new Promise<BatchAnswer>((resolve, reject) => {
      signal.throwIfAborted();
      const stopListening = onAbort(signal, () => {
        waiting.delete(request);
        reject(signal.reason as Error);
        if (waiting.size > 0) return;
        clearTimeout(timer);
        working?.abort();
      });
      const request: WaitingRequest = {
        key,
        text,
        resolve: (answer) => {
          stopListening();
          resolve(answer);
        },
        reject: (error) => {
          stopListening();
          reject(error);
        },
      };
      waiting.add(request);
      plan();
    });
  };

  const plan = (): void => {
    if (working !== undefined) return;
    clearTimeout(timer);
    timer = setTimeout(() => void work(), quiet);
  };

  const work = async (): Promise<void> => {
    const { signal } = (working = new AbortController());
    try {
      await answerSome(apiAt({ ...(place as BatchPlace), signal }));
    } catch (error) {
      // Nobody waits any longer if it was aborted.
      if (!signal.aborted) fail(error);
    } finally {
      working = undefined;
      if (waiting.size > 0) plan();
    }
  };

  /** Answers requests from batches that exist, or from the next one. */
  const answerSome = async (api: BatchApi): Promise<void> => {
    if (answer() > 0) return;
    let batch = [...batches].find((it) => isAskedFor(it));
    while (batch === undefined && waiting.size > 0) batch = await nextBatch(api);
    if (batch === undefined) return;
    await readAnswers(api, batch);
    answer();
  };

  /** The next batch, if it exists and has requests that wait: one of an earlier run, or a new one. */
  const nextBatch = async (api: BatchApi): Promise<CreatedBatch | undefined> => {
    const name = `batch ${next}`;
    let requests: readonly (readonly [string, WaitingRequest])[] | undefined;
    if (claim === undefined) {
      const recorded = await options.journal.step(`${name} requests`, () => {
        requests = chosen(api);
        const keys = requests.map(([name]) => name);
        return Promise.resolve({ token: randomUUID().slice(0, 8), at: Date.now(), keys });
      });
      claim = { ...recorded, isEarlier: requests === undefined };
    }
    const claimed = claim;
    const id = await ids.step(name, async () => {
      if (requests === undefined) return await api.find(claimed);
      const bodies = requests.map(([name, { text }]) => ({
        id: `${claimed.token}-${name}`,
        body: JSON.parse(text) as JsonObject,
      }));
      return await api.submit(bodies, claimed.token);
    });
    claim = undefined;
    next++;
    // The provider has deleted the answers, or has never created the batch.
    if (id === null || claimed.at < Date.now() - keptAnswers) return undefined;
    const batch = { ...claimed, id };
    batches.add(batch);
    return isAskedFor(batch) ? batch : undefined;
  };

  /** The requests of the next batch, within the limits of the provider. Equal requests get names of their own. */
  const chosen = (api: BatchApi): [string, WaitingRequest][] => {
    const requests = [...waiting];
    const counts = new Map<string, number>();
    return requests.slice(0, countInBatch(requests, api)).map((request) => {
      const count = (counts.get(request.key) ?? 0) + 1;
      counts.set(request.key, count);
      return [count === 1 ? request.key : `${request.key}-${count}`, request];
    });
  };

  const isAskedFor = ({ keys }: BatchClaim): boolean => {
    const asked = new Set(Array.from(waiting, ({ key }) => key));
    return keys.some((name) => asked.has(hashIn(name)));
  };

  /** Waits for the end of a batch, and keeps its answers. */
  const readAnswers = async (api: BatchApi, batch: CreatedBatch): Promise<void> => {
    const { id, token, keys, at, isEarlier } = batch;
    let read: ReadonlyMap<string, BatchAnswer> | undefined;
    try {
      read = await polled(() => api.answers(id, keys.length), (working as AbortController).signal);
    } catch (error) {
      const isRefused = isInstance(error, ModelError) && error.code === "provider";
      if (isRefused) batches.delete(batch);
      // The requests of a batch that was refused as a whole are sent again by the next run.
      if (isRefused && isEarlier) return;
      throw error;
    }
    batches.delete(batch);
    for (const name of keys) {
      const answer = read.get(`${token}-${name}`) ?? unanswered;
      if (answer.status === 200 || !isEarlier || !options.retryErrors)
        getOrInsert(answers, hashIn(name), () => []).push(answer);
    }
    if (!isEarlier) quiet = Math.min(Math.max((Date.now() - at) / 100, shortestQuiet), longestQuiet);
  };

  /** Each answer is used once, because a request that failed may be sent again. */
  const answer = (): number => {
    let count = 0;
    for (const request of waiting) {
      const known = answers.get(request.key);
      const answer = known?.shift();
      if (answer === undefined) continue;
      if (known?.length === 0) answers.delete(request.key);
      waiting.delete(request);
      request.resolve(answer);
      count++;
    }
    return count;
  };

  const fail = (cause: unknown): void => {
    const problem = `The batches of ${options.provider} failed: ${messageOf(cause)}`;
    const error = new ModelError("batch", problem, { cause });
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  };
  return fetch;
}

/** The hash in the name of a request in a batch: `HASH`, and `HASH-2` for an equal one. */
function hashIn(name: string): string {
  return name.slice(0, hashLength);
}

const hashLength = 24;
const unanswered = { status: 400, body: { error: { message: "The batch ended without an answer." } } };
/**
 * Milliseconds without a new request until a batch is sent: a hundredth of what the last batch took, because results
 * that are taken slowly make room for new inputs slowly.
 */
const shortestQuiet = 500;
const longestQuiet = 60_000;
/** How long a provider keeps the answers: 29 days at Anthropic, in milliseconds. */
const keptAnswers = 29 * 86_400_000;
