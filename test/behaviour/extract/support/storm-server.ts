import { randomOf } from "../../../support/random.js";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen, type Listening } from "../../browser/support/listen.js";

export interface StormOptions {
  readonly seed?: number;
  /** Requests that the server accepts in a minute, measured over each second. Default: no limit. */
  readonly requestsPerMinute?: number;
  /** Milliseconds until an answer. */
  readonly latency?: number;
  /** Whether there are storms: many requests in a row that fail in one way. */
  readonly storms?: boolean;
}

/** What the server has seen. */
export interface StormCounts {
  requests: number;
  answered: number;
  /** Refused because of the limit. */
  over: number;
  stormed: number;
}

/**
 * A server with OpenAI's API. It answers a prompt that ends with a number with `{"n": number}`, and has storms of status
 * 429 and 500, of streams that it cuts, and of slow answers: they last up to 150 ms, and the calm between them a second.
 */
export class StormServer {
  readonly counts: StormCounts = { requests: 0, answered: 0, over: 0, stormed: 0 };
  private readonly options: Required<StormOptions>;
  private readonly random: () => number;
  private server: Listening | undefined;
  private level = 0;
  private filledAt = performance.now();
  private weather = "calm";
  /** When the weather changes. */
  private until = 0;

  constructor({ seed = 1, requestsPerMinute = Infinity, latency = 0, storms = true }: StormOptions = {}) {
    this.options = { seed, requestsPerMinute, latency, storms };
    this.random = randomOf(seed);
  }

  async start(): Promise<string> {
    this.server = await listen((request, response) =>
      this.answer(request, response).catch(() => response.destroy()),
    );
    return `${this.server.url}/v1`;
  }

  async stop(): Promise<void> {
    await this.server?.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    this.counts.requests++;
    if (!this.accepts()) {
      this.counts.over++;
      refuse(response, 429, { "retry-after-ms": "200" });
      return;
    }
    const weather = this.nextWeather();
    if (weather !== "calm") this.counts.stormed++;
    switch (weather) {
      case "status 429":
        refuse(response, 429, { "retry-after-ms": "50" });
        return;
      case "status 500":
        refuse(response, 500, {});
        return;
      case "slow":
        await sleep(this.options.latency + 100);
        break;
      default:
        if (this.options.latency > 0) await sleep(this.options.latency);
    }
    const number = /(\d+)\D*$/.exec((JSON.parse(body) as Asked).messages.at(-1)?.content ?? "")?.[1] ?? "0";
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (weather === "cut") {
      response.write(event({ content: '{"n"' }, null));
      await sleep(1);
      response.destroy();
      return;
    }
    response.end(
      event({ content: `{"n": ${number}` }, null) +
        event({ content: "}" }, "stop") +
        `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } })}\n\n` +
        "data: [DONE]\n\n",
    );
    this.counts.answered++;
  }

  /** A bucket that holds the requests of a second. */
  private accepts(): boolean {
    const { requestsPerMinute } = this.options;
    if (requestsPerMinute === Infinity) return true;
    const now = performance.now();
    const rate = requestsPerMinute / 60_000;
    this.level = Math.min(this.level + (now - this.filledAt) * rate, Math.max(rate * 1_000, 1));
    this.filledAt = now;
    if (this.level < 1) return false;
    this.level--;
    return true;
  }

  private nextWeather(): string {
    if (!this.options.storms) return "calm";
    const now = performance.now();
    if (now >= this.until) {
      const isCalm = this.weather !== "calm";
      this.weather = isCalm ? "calm" : (storms[Math.floor(this.random() * storms.length)] ?? "calm");
      this.until = now + this.random() * (isCalm ? 1_000 : 150);
    }
    return this.weather;
  }
}

const storms = ["status 429", "status 500", "cut", "slow"];

interface Asked {
  readonly messages: readonly { readonly content: string }[];
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message: `storm ${status}` } }));
}

function event(delta: object, reason: string | null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
}
