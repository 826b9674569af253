import { Queue } from "../../stream/core/queue.js";
import type { Clock } from "../../stream/time/clock.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { backoff } from "../../stream/time/sleep.js";
import { Bucket } from "./bucket.js";

export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly clock: Clock;
  readonly random: () => number;
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
 * It adapts to a server whose limit is lower, or unknown. After a response with status 429, all requests wait as long as
 * the server asks. Then they are sent at a lower rate, which grows again: slowly where the limit seems to be, and
 * faster the longer the server accepts everything.
 */
export class RateLimiter {
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly ceiling: number;
  private readonly requests: Bucket;
  private readonly tokens: Bucket;
  private readonly waiting = new Queue<Waiter>();
  /** The times of the latest requests, to know the rate if no limit is set. */
  private readonly latest = new Queue<number>();
  private timer: unknown;
  private pausedUntil = 0;
  private slowedAt = -Infinity;
  private grownAt = 0;
  /** Where the limit of the server seems to be: the rate at which it refused requests, in milliseconds. */
  private limit = 0;
  /** Answers since the rate was lowered. */
  private answers = 0;
  /** Responses with status 429 since the last success. */
  private refusals = 0;

  constructor({ requestsPerMinute, tokensPerMinute, clock, random }: RateLimits) {
    this.clock = clock;
    this.random = random;
    this.ceiling = perMillisecond(requestsPerMinute);
    const now = clock.now();
    this.requests = new Bucket(this.ceiling, 1, now);
    this.tokens = new Bucket(perMillisecond(tokensPerMinute), 0, now);
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
    this.refusals = 0;
    this.growByAnswer();
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
    this.pausedUntil = Math.max(this.pausedUntil, now + (retryAfter ?? backoff(this.refusals, this.random)));
    // Requests that were sent before the rate was lowered say nothing about the new one. Neither do refusals in a row: the
    // server refuses everything, so it asks for a pause.
    if (permit.sentAt <= this.slowedAt || this.refusals++ > 0) return;
    this.slowedAt = now;
    this.answers = 0;
    const rate = Number.isFinite(this.requests.rate) ? this.requests.rate : this.measuredRate(now);
    this.limit = rate >= this.limit * nearLimit ? rate : this.limit * 0.9;
    this.requests.setRate(Math.max(rate * 0.9, lowestRate), now);
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
    this.requests.spend(1);
    this.tokens.spend(tokens);
    this.latest.push(sentAt);
    if (this.latest.length > measured) this.latest.shift();
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
   * Raises the rate near the limit with each answer: by a tenth in about seventy, so that few requests are refused at any
   * rate. The longer none is, the faster it grows.
   */
  private growByAnswer(): void {
    const { rate } = this.requests;
    this.answers++;
    if (rate >= this.ceiling || rate < this.limit * nearLimit) return;
    const share = Math.min(0.001 * 2 ** (this.answers / 70), 0.02);
    this.requests.setRate(Math.min(rate * (1 + share), this.ceiling), this.clock.now());
  }

  private measuredRate(now: number): number {
    const first = this.latest.peek() ?? now;
    return this.latest.length / Math.max(now - first, 1_000);
  }
}

/** The part of the supposed limit from which the rate grows slowly. */
const nearLimit = 0.8;
/** One request in ten seconds. */
const lowestRate = 1 / 10_000;
/** The number of requests from which the rate is measured. */
const measured = 200;
/**
 * The part of a limit that is used. With the burst of a bucket, which is the work of a second, no minute exceeds the
 * limit: 60 x 0.98 + 1 < 60.
 */
const usedPart = 0.98;

function perMillisecond(perMinute: number): number {
  return (perMinute * usedPart) / 60_000;
}
