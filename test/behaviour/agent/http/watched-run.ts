import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentEvent } from "millrace";
import type { Middleware } from "millrace/agent";
import type { Answer } from "../../../models/support/server.js";

/** Counts what is open: streams of middleware and of tools, and answers of a server. */
export class Watch {
  /** Each in the words of who opened it. */
  readonly open: string[] = [];
  readonly unhandled: unknown[] = [];
  private readonly onUnhandled = (error: unknown): void => {
    this.unhandled.push(error);
  };

  constructor() {
    process.on("unhandledRejection", this.onUnhandled);
  }

  /** @returns closes it */
  enter(name: string): () => void {
    this.open.push(name);
    return () => {
      this.open.splice(this.open.indexOf(name), 1);
    };
  }

  /** Its `finally` is seen. */
  async *around<T>(name: string, source: AsyncIterable<T>): AsyncGenerator<T, undefined, undefined> {
    const leave = this.enter(name);
    try {
      yield* source;
    } finally {
      leave();
    }
  }

  readonly middleware: Middleware = {
    aroundRun: (run, next) => this.around("run", next(run)),
    aroundModel: (call, next) => this.around("model", next(call)),
    aroundTool: (run, next) => this.around("tool", next(run)),
  };

  /** An answer that is open until it has ended, or its client has closed the socket. */
  answer(answer: Answer): Answer {
    return (response: ServerResponse, ...rest) => {
      response.once("close", this.enter("socket"));
      return answer(response, ...rest);
    };
  }

  /** Waits until all is closed, a while at most: then it gives what is still open. */
  async settled(): Promise<readonly string[]> {
    for (let turns = 0; this.open.length > 0 && turns < 500; turns++) await delay(2);
    await delay(0);
    return this.open;
  }

  stop(): void {
    process.off("unhandledRejection", this.onUnhandled);
  }
}

/** How a consumer leaves. */
export const waysToLeave = ["a break", "the signal", "the signal while it waits"] as const;
export type WayToLeave = (typeof waysToLeave)[number];

export interface Left {
  readonly types: readonly AgentEvent["type"][];
  /** What the loop has thrown. */
  readonly error: unknown;
  /** That of the signal. */
  readonly reason: Error;
  /** How many listeners the signal has then. */
  readonly listeners: number;
}

/** Reads a run, and leaves it at the event of that number, counted from 1; at its end if there are not so many. */
export async function leaveAt(
  start: (signal: AbortSignal) => AsyncIterable<AgentEvent>,
  count: number,
  way: WayToLeave,
): Promise<Left> {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error("enough");
  const types: AgentEvent["type"][] = [];
  let error: unknown;
  try {
    for await (const { type } of start(signal)) {
      if (types.push(type) !== count) continue;
      if (way === "a break") break;
      if (way === "the signal") controller.abort(reason);
      else setTimeout(() => controller.abort(reason));
    }
  } catch (thrown) {
    error = thrown;
  }
  return { types, error, reason, listeners: getEventListeners(signal, "abort").length };
}
