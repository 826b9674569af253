import { Queue } from "../../stream/core/queue.js";
import type { Clock } from "../../stream/time/clock.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { backoff } from "../../stream/time/attempts.js";
import { TokenBucket } from "./token-bucket.js";
import { RecentRate } from "./recent-rate.js";

export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Called when a refusal has lowered the rate, for processes that share the limit of the server. */
  readonly onLimit?: (found: FoundLimit) => void;
}

/** The limit of a server, as a process has found it. Rates are per millisecond. */
export interface FoundLimit {
  /** How long all requests wait, in milliseconds. */
  readonly pause: number;
  readonly rate: number;
  readonly limit: number;
  readonly isConfirmed: boolean;
}

/** A request that may be sent. */
export interface Permit {
  readonly sentAt: number;
  /** The tokens that it was expected to use. */
  readonly tokens: number;
}

interface Waiter {
  readonly tokens: number;
  readonly go: (permit: Permit) => void;
  left: boolean;
}

/**
 * Spreads requests evenly over each minute, first come, first served.
 *
 * It adapts to a server whose limit is lower, or unknown. When the server refuses more than a quarter of the recent
 * requests (status 429), all requests wait as long as it asks. Then they are sent a tenth slower than the server was
 * seen to accept them. The rate grows again: slowly where the limit seems to be, and faster the longer the server
 * accepts everything.
 *
 * Some servers refuse a part of all requests at any rate. So fewer refusals do not stop the other requests, and do not
 * lower a rate that was never lowered. Later the rate does not fall below half of the highest one that was refused
 * lately.
 */
export class RateLimiter {
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly limits: RateLimits;
  private part = 1;
  private ceiling: number;
  private readonly requests: TokenBucket;
  private readonly tokens: TokenBucket;
  private readonly waiting = new Queue<Waiter>();
  /** The requests that were sent and not refused. */
  private readonly accepted: RecentRate;
  private timer: unknown;
  private pausedUntil = 0;
  private slowedAt = -Infinity;
  private grownAt = 0;
  private answeredAt = 0;
  /** Where the limit of the server seems to be: the rate at which it refused requests, in milliseconds. */
  private limit = 0;
  /** Whether two refusals in a row have agreed about the limit. */
  private isConfirmed = false;
  /** Answers since the rate was lowered. */
  private answers = 0;
  /** The highest rate that was refused. It falls a little with each refusal. */
  private peak = 0;
  /** The share of refusals among the recent responses. */
  private refusedShare = 0;
  /** The number of answers for which no limit is confirmed, because refusals do not depend on the rate. */
  private probing = 0;
  private hasAnswered = false;
  /** Responses with status 429 since the last success. */
  private refusals = 0;

  constructor(limits: RateLimits) {
    const { requestsPerMinute, tokensPerMinute, clock, random } = limits;
    this.limits = limits;
    this.clock = clock;
    this.random = random;
    this.ceiling = perMillisecond(requestsPerMinute);
    const now = clock.now();
    this.requests = new TokenBucket(this.ceiling, 1, now);
    this.tokens = new TokenBucket(perMillisecond(tokensPerMinute), 0, now);
    this.accepted = new RecentRate(now);
  }

  /** Uses a part of the limits from now on, because other processes use the rest. */
  setPart(part: number): void {
    const { requestsPerMinute, tokensPerMinute } = this.limits;
    const now = this.clock.now();
    const ceiling = perMillisecond(requestsPerMinute * part);
    const isAdapted = this.requests.rate < this.ceiling;
    const change = part / this.part;
    this.part = part;
    this.ceiling = ceiling;
    this.limit *= change;
    this.peak *= change;
    this.requests.setRate(isAdapted ? Math.min(this.requests.rate * change, ceiling) : ceiling, now);
    this.tokens.setRate(perMillisecond(tokensPerMinute * part), now);
  }

  /** Resolves when a request may be sent. Rejects with the signal's reason. */
  take(tokens: number, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const waiter: Waiter = {
        tokens,
        left: false,
        go: (permit) => {
          stopListening();
          resolve(permit);
        },
      };
      const stopListening = onAbort(signal, () => {
        waiter.left = true;
        reject(signal.reason as Error);
        this.send(); // clears the timer after the last one
      });
      this.waiting.push(waiter);
      if (this.timer === undefined) this.send();
    });
  }

  /** The request was answered. @param tokens the tokens that it used, if known */
  answered(permit: Permit, tokens: number | undefined): void {
    const now = this.clock.now();
    this.hasAnswered = true;
    this.refusals = 0;
    this.refusedShare -= this.refusedShare / recentResponses;
    this.probing--;
    this.growByAnswer(now);
    this.answeredAt = now;
    if (tokens !== undefined) this.tokens.spend(tokens - permit.tokens);
  }

  /**
   * The request was refused with status 429.
   *
   * @param retryAfter how long the server asks to wait, in milliseconds
   */
  refused(permit: Permit, retryAfter: number | undefined): void {
    const now = this.clock.now();
    this.tokens.spend(-permit.tokens);
    this.accepted.add(-1, now);
    this.refusedShare += (1 - this.refusedShare) / recentResponses;
    // The other requests need not wait for a few refusals among many answers.
    const isStorm = this.refusedShare > manyRefused;
    const pause = isStorm || !this.hasAnswered ? (retryAfter ?? backoff(this.refusals, this.random)) : 0;
    this.pausedUntil = Math.max(this.pausedUntil, now + pause);
    if (!isStorm && this.requests.rate >= this.ceiling) return;
    // Requests that were sent before the rate was lowered say nothing about the new one. Neither do refusals in a row:
    // the server refuses everything, so it asks for a pause. A storm of refusals with a few answers in it is one.
    if (permit.sentAt <= this.slowedAt + sameStorm || this.refusals++ > 0) return;
    const { rate } = this.requests;
    const accepted = this.accepted.rate(now);
    // A rate far above what was accepted was not in use.
    const used =
      rate === Infinity ? Math.max(accepted, firstRate) : Math.max(Math.min(rate, accepted * 2), rate / 2);
    // Refusals that continue at half of the rate do not depend on it.
    this.peak = Math.max(used, this.peak * (this.refusedShare > manyRefused ? 0.8 : 0.99));
    if (used * 0.9 < this.peak / 2) this.probing = probingAnswers;
    const found = {
      pause,
      rate: Math.max(used * 0.9, this.peak / 2, lowestRate),
      limit: used >= this.limit * nearLimit ? used : this.limit * 0.9,
      isConfirmed: used > this.limit * nearLimit && used * nearLimit < this.limit && this.probing <= 0,
    };
    this.slowTo(found);
    this.limits.onLimit?.(found);
  }

  /**
   * Uses the rate that this process or another one has found. Processes that share a limit use the same rate: one that
   * was faster would grow faster too, until the others had nothing.
   */
  slowTo({ pause, rate, limit, isConfirmed }: FoundLimit): void {
    const now = this.clock.now();
    this.pausedUntil = Math.max(this.pausedUntil, now + pause);
    if (now <= this.slowedAt + sameStorm) return;
    this.slowedAt = now;
    this.answers = 0;
    this.limit = limit;
    this.isConfirmed = isConfirmed;
    this.requests.setRate(Math.min(rate, this.ceiling), now);
    this.grownAt = Math.max(now, this.pausedUntil);
  }

  private readonly send = (): void => {
    this.clock.clearTimeout(this.timer);
    this.timer = undefined;
    for (let waiter = this.waiting.peek(); waiter !== undefined; waiter = this.waiting.peek()) {
      const delay = waiter.left ? 0 : this.delay(waiter.tokens);
      if (delay > 0) {
        this.timer = this.clock.setTimeout(this.send, Math.ceil(delay));
        return;
      }
      this.waiting.shift();
      if (!waiter.left) waiter.go(this.permit(waiter.tokens));
    }
  };

  /** The time until a request may be sent, in milliseconds. */
  private delay(tokens: number): number {
    const now = this.clock.now();
    this.growByTime(now);
    return Math.max(this.pausedUntil - now, this.requests.delay(1, now), this.tokens.delay(tokens, now));
  }

  private permit(tokens: number): Permit {
    const sentAt = this.clock.now();
    this.accepted.add(1, sentAt);
    this.requests.spend(1);
    this.tokens.spend(tokens);
    return { sentAt, tokens };
  }

  /** Raises the rate by 40 % a second up to the neighbourhood of the limit. */
  private growByTime(now: number): void {
    const seconds = (now - this.grownAt) / 1_000;
    if (seconds <= 0) return;
    this.grownAt = now;
    const target = Math.min(this.limit * nearLimit, this.ceiling);
    const { rate } = this.requests;
    if (rate < target) this.requests.setRate(Math.min(rate * 1.4 ** seconds, target), now);
  }

  /**
   * Raises the rate near the limit with each answer: by 2 % until the limit is confirmed. Then by a tenth in about
   * seventy answers, so that few requests are refused at any rate, and by at most 3 % in a second, so that few are
   * refused before the first refusal arrives. The longer the server refuses nothing, the faster it grows. A rate that
   * is not used does not grow, because nobody knows whether the server accepts it.
   */
  private growByAnswer(now: number): void {
    const { rate } = this.requests;
    this.answers++;
    if (rate >= this.ceiling || rate < this.limit * nearLimit || rate > this.accepted.rate(now) * 2) return;
    const perAnswer = this.isConfirmed ? 0.001 * 2 ** (this.answers / 70) : 0.02;
    const perSecond = this.isConfirmed ? Math.min(0.03 * 2 ** ((now - this.slowedAt) / 2_000), 0.5) : 1;
    const share = Math.min(perAnswer, ((now - this.answeredAt) / 1_000) * perSecond);
    this.requests.setRate(Math.min(rate * (1 + share), this.ceiling), now);
  }
}

/** The part of the supposed limit from which the rate grows slowly. */
const nearLimit = 0.8;
const recentResponses = 20;
/** From this share of refusals on, the rate of requests must be their cause. */
const manyRefused = 0.25;
const probingAnswers = 100;
/** Milliseconds. */
const sameStorm = 1_000;
/** One request in a second: the rate if the first request is refused. */
const firstRate = 1 / 1_000;
/** One request in ten seconds. */
const lowestRate = 1 / 10_000;
/**
 * The part of a limit that is used. With the burst of a bucket, which is the work of a second, no minute exceeds the
 * limit: 60 x 0.98 + 1 < 60.
 */
const usedPart = 0.98;

function perMillisecond(perMinute: number): number {
  return (perMinute * usedPart) / 60_000;
}
