import { manualClock, type ManualClock } from "millrace/testing";
import { expect, test } from "vitest";
import { type FoundLimit, type Permit, RateLimiter } from "#src/object/extract/rate-limiter.js";
import { randomOf } from "../../support/random.js";

const never = new AbortController().signal;

interface Setting {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

function limiter(clock: ManualClock, setting: Setting): RateLimiter {
  const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = setting;
  return new RateLimiter({ requestsPerMinute, tokensPerMinute, clock, random: () => 0 });
}

/** Advances in steps of 10 ms, so that what promises do is done in between. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    clock.advance(10);
    await Promise.resolve();
  }
}

/** Sends as fast as allowed, and returns the time of each request. */
async function sendFor(ms: number, setting: Setting, tokens = 0): Promise<number[]> {
  const clock = manualClock();
  const subject = limiter(clock, setting);
  const times: number[] = [];
  const send = async (): Promise<void> => {
    for (;;) {
      const { sentAt } = await subject.take(tokens, never);
      times.push(sentAt);
    }
  };
  void send();
  await pass(clock, ms);
  return times;
}

function mostInAMinute(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

test("no minute has more requests than the limit, and at least nine tenths of them are used", async () => {
  for (const requestsPerMinute of [1, 7, 600, 2_000]) {
    const times = await sendFor(180_000, { requestsPerMinute });
    expect(mostInAMinute(times)).toBeLessThanOrEqual(requestsPerMinute);
    expect(times.length).toBeGreaterThanOrEqual(Math.floor(requestsPerMinute * 3 * 0.9));
  }
});

test("tokens are limited in the same way, also if a request has more than the bucket holds", async () => {
  const times = await sendFor(180_000, { tokensPerMinute: 60_000 }, 3_000);
  expect(mostInAMinute(times)).toBeLessThanOrEqual(20);
  expect(times.length).toBeGreaterThanOrEqual(54);
});

test("tokens that were not estimated are paid for by the next request", async () => {
  const clock = manualClock();
  const subject = limiter(clock, { tokensPerMinute: 60_000 });
  const first = subject.take(100, never);
  await pass(clock, 200);
  subject.answered(await first, 10_100);
  let sentAt = 0;
  void subject.take(100, never).then((permit) => (sentAt = permit.sentAt));
  await pass(clock, 20_000);
  expect(sentAt).toBeGreaterThan(10_000);
});

test("without a limit nothing waits", async () => {
  const clock = manualClock();
  const subject = limiter(clock, {});
  for (let count = 0; count < 1_000; count++) await subject.take(1_000, never);
  expect(clock.timers).toBe(0);
});

test("after a status 429 all requests wait as long as the server asks", async () => {
  const clock = manualClock();
  const subject = limiter(clock, {});
  subject.refused(await subject.take(0, never), 5_000);
  const sent: Permit[] = [];
  for (let count = 0; count < 3; count++) void subject.take(0, never).then((permit) => sent.push(permit));
  await pass(clock, 4_990);
  expect(sent).toEqual([]);
  await pass(clock, 10_000);
  expect(sent).toHaveLength(3);
});

/** A server that accepts 10 requests a second, and refuses the others. */
class LimitedServer {
  accepted = 0;
  refused = 0;
  private level = 10;
  private filledAt = 0;
  private readonly clock: ManualClock;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  /** Sends requests to it one after another, each as soon as the limiter allows. */
  async send(subject: RateLimiter): Promise<void> {
    for (;;) {
      const permit = await subject.take(0, never);
      await later(this.clock, 50);
      const now = this.clock.now();
      this.level = Math.min(10, this.level + (now - this.filledAt) / 100);
      this.filledAt = now;
      if (this.level >= 1) {
        this.level--;
        this.accepted++;
        subject.answered(permit, undefined);
      } else {
        this.refused++;
        subject.refused(permit, 100);
      }
    }
  }

  forget(): void {
    this.accepted = 0;
    this.refused = 0;
  }
}

test("it finds the limit of a server that is lower, uses nine tenths of it, and is refused seldom", async () => {
  for (const requestsPerMinute of [2_000, undefined]) {
    const clock = manualClock();
    const server = new LimitedServer(clock);
    const subject = limiter(clock, requestsPerMinute === undefined ? {} : { requestsPerMinute });
    for (let count = 0; count < 16; count++) void server.send(subject);
    await pass(clock, 60_000); // finds the limit
    server.forget();
    await pass(clock, 600_000);
    expect(server.accepted).toBeGreaterThan(6_000 * 0.9);
    expect(server.refused).toBeLessThan(server.accepted * 0.02);
  }
});

test("three processes that share the limit find it together, and are refused seldom", async () => {
  for (const requestsPerMinute of [1_200, Infinity]) {
    const clock = manualClock();
    const server = new LimitedServer(clock);
    const subjects: RateLimiter[] = [0, 1, 2].map((own) => {
      const onLimit = (found: FoundLimit): void => {
        for (const other of subjects.filter((_, index) => index !== own)) other.slowTo(found);
      };
      const limits = { requestsPerMinute, tokensPerMinute: Infinity, clock, random: () => 0 };
      return new RateLimiter({ ...limits, onLimit });
    });
    for (const subject of subjects) {
      subject.setPart(1 / 3);
      for (let count = 0; count < 16; count++) void server.send(subject);
    }
    await pass(clock, 60_000);
    server.forget();
    await pass(clock, 600_000);
    expect(server.accepted).toBeGreaterThan(6_000 * 0.9);
    expect(server.refused).toBeLessThan(server.accepted * 0.01);
  }
});

test("a rate that is not used does not grow, so little is refused when there is more to send", async () => {
  const clock = manualClock();
  const subject = limiter(clock, {});
  const server = new LimitedServer(clock);
  const first = Array.from({ length: 16 }, () => subject.take(0, never));
  const permits = await Promise.all(first);
  for (const permit of permits.slice(0, 10)) subject.answered(permit, undefined);
  for (const permit of permits.slice(10)) subject.refused(permit, 100);
  const slow = async (): Promise<void> => {
    for (;;) {
      subject.answered(await subject.take(0, never), undefined);
      await later(clock, 200);
    }
  };
  void slow();
  await pass(clock, 120_000);
  for (let count = 0; count < 16; count++) void server.send(subject);
  await pass(clock, 10_000);
  expect(server.refused).toBeLessThan(20); // of about 110
});

test("after a storm it returns to the limit within a minute", async () => {
  const clock = manualClock();
  const subject = limiter(clock, { requestsPerMinute: 600 });
  let storm = true;
  const times: number[] = [];
  const send = async (): Promise<void> => {
    for (;;) {
      const permit = await subject.take(0, never);
      times.push(permit.sentAt);
      if (storm) subject.refused(permit, undefined);
      else subject.answered(permit, undefined);
    }
  };
  void send();
  await pass(clock, 60_000);
  storm = false;
  await pass(clock, 60_000);
  const calm = clock.now();
  await pass(clock, 60_000);
  expect(times.filter((at) => at >= calm).length).toBeGreaterThan(540);
});

test("refusals that do not depend on the rate do not stop the run", async () => {
  for (const seed of [1, 2, 3]) {
    const clock = manualClock();
    const random = randomOf(seed);
    const subject = new RateLimiter({
      requestsPerMinute: Infinity,
      tokensPerMinute: Infinity,
      clock,
      random,
    });
    let answers = 0;
    const send = async (): Promise<void> => {
      for (;;) {
        const permit = await subject.take(0, never);
        await later(clock, 1_000);
        if (random() < 0.1) subject.refused(permit, 50);
        else {
          answers++;
          subject.answered(permit, undefined);
        }
      }
    };
    for (let count = 0; count < 4; count++) void send();
    await pass(clock, 1_200_000);
    answers = 0;
    await pass(clock, 60_000);
    expect(answers).toBeGreaterThan(120); // of 216 at most
  }
});

test("a request that is aborted leaves its place, and no timer behind", async () => {
  const clock = manualClock();
  const subject = limiter(clock, { requestsPerMinute: 60 });
  await subject.take(0, never);
  const left = new AbortController();
  const leaving = subject.take(0, left.signal);
  left.abort(new Error("left"));
  await expect(leaving).rejects.toThrow("left");
  expect(clock.timers).toBe(0);
  await expect(subject.take(0, left.signal)).rejects.toThrow("left");
});

function later(clock: ManualClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, ms);
  });
}
