import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentEvent } from "millrace";
import type { Middleware } from "millrace/agent";
import type { Answer } from "../../../models/support/server.js";

/** Tracks open resources: streams of middleware and tools, and responses of a server. */
export class Watch {
  /** The labels of the open resources. */
  readonly open: string[] = [];
  readonly unhandled: unknown[] = [];
  private readonly onUnhandled = (error: unknown): void => {
    this.unhandled.push(error);
  };

  constructor() {
    process.on("unhandledRejection", this.onUnhandled);
  }

  /** @returns a function that closes the resource */
  enter(name: string): () => void {
    this.open.push(name);
    return () => {
      this.open.splice(this.open.indexOf(name), 1);
    };
  }

  /** A stream whose `finally` is tracked. */
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

  /** A response, open until it ends or the client closes the socket. */
  answer(answer: Answer): Answer {
    return (response: ServerResponse, ...rest) => {
      response.once("close", this.enter("socket"));
      return answer(response, ...rest);
    };
  }

  /** Waits for a limited time until all are closed, and returns what is still open. */
  async settled(): Promise<readonly string[]> {
    for (let turns = 0; this.open.length > 0 && turns < 500; turns++) await delay(2);
    await delay(0);
    return this.open;
  }

  stop(): void {
    process.off("unhandledRejection", this.onUnhandled);
  }
}

/** The way in which a consumer leaves. */
export const waysToLeave = ["a break", "the signal", "the signal while it waits"] as const;
export type WayToLeave = (typeof waysToLeave)[number];

export interface Left {
  readonly types: readonly AgentEvent["type"][];
  /** The error that the loop threw. */
  readonly error: unknown;
  /** The reason of the signal. */
  readonly reason: Error;
  /** The number of listeners that remain on the signal. */
  readonly listeners: number;
}

/** Reads a run and leaves at the event with this number, from 1, or at the end if there are fewer. */
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
