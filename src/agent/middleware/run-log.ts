import { MillraceError } from "../../errors.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { textOf } from "../../messages/blocks/read.js";
import type { Usage } from "../../messages/usage.js";
import type { Clock } from "../../stream/time/clock.js";
import { noop } from "../../stream/core/result.js";
import { AgentError } from "../errors.js";
import type { AgentEvent } from "../events.js";
import type { ModelCall, RunInfo } from "./middleware.js";
import { quoted } from "../../text/cut.js";
import { jsonText } from "../../text/json-text.js";
import { errorType } from "./error-type.js";
import type { StreamObserver } from "./observe.js";
import { isInstance } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";

/** The level of a line, from least to most important. */
export type LogLevel = "debug" | "info" | "warn" | "error";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface RunLogOptions {
  readonly log: (line: string, level: LogLevel) => unknown;
  readonly level: LogLevel;
  readonly captureContent: boolean;
  readonly clock: Clock;
}

/** Writes the lines of one run. */
export class RunLog {
  private readonly number: number;
  private readonly options: RunLogOptions;
  private readonly toolsBegan = new Map<string, number>();
  private prefix = "";
  /** The lines that `log` still writes. */
  private writing: Promise<unknown> | undefined;
  private failure: AgentError | undefined;

  constructor(number: number, options: RunLogOptions) {
    this.number = number;
    this.options = options;
  }

  observeRun({ agent = "agent" }: RunInfo): StreamObserver<AgentEvent> {
    this.prefix = `${agent}#${this.number}`;
    const began = this.now();
    this.line("info", "run started");
    return {
      onItem: (event) => this.onEvent(event, began),
      onEnd: (ending) => {
        if (ending === "left") this.line("info", `run left after ${this.since(began)}`);
        else if (ending !== "done") {
          this.line("error", `run failed after ${this.since(began)}: ${this.describe(ending.error)}`);
        }
        return this.writing;
      },
    };
  }

  observeModel({ model, step, messages, tools }: ModelCall): StreamObserver<MessageChunk> {
    const name = `${model.provider}:${model.model}`;
    const began = this.now();
    this.line("info", `step ${step}: calls ${name} (messages: ${messages.length}, tools: ${tools.length})`);
    let begun = false;
    return {
      onItem: () => {
        if (!begun) this.line("debug", `step ${step}: first chunk after ${this.since(began)}`);
        begun = true;
      },
      onEnd: (ending) => {
        const elapsed = this.since(began);
        if (ending === "done") this.line("info", `step ${step}: ${name} ended after ${elapsed}`);
        else if (ending === "left") this.line("info", `step ${step}: ${name} stopped after ${elapsed}`);
        else
          this.line("warn", `step ${step}: ${name} failed after ${elapsed}: ${this.describe(ending.error)}`);
      },
    };
  }

  private onEvent(event: AgentEvent, began: number): void {
    switch (event.type) {
      case "tool_start":
        this.toolsBegan.set(event.id, this.now());
        this.line("info", `${toolIn(event)} started`, event.args);
        break;
      case "tool_progress":
        this.line("debug", `${toolIn(event)} reported progress`, event.value);
        break;
      case "tool_result":
        this.line("info", `${toolIn(event)} ended${this.elapsed(event.id)}`, textOf(event.message));
        break;
      case "tool_error":
        this.line("warn", `${toolIn(event)} failed${this.elapsed(event.id)}: ${this.describe(event.error)}`);
        break;
      case "tool_paused":
        this.line("warn", `${toolIn(event)} waits for a decision`);
        break;
      case "structured_error":
        this.line(
          "warn",
          `structured response is invalid, retry ${event.retry}: ${this.describe(event.error)}`,
        );
        break;
      case "answer_reset":
        this.line("warn", `answer was cut, retry ${event.retry}: ${this.describe(event.error)}`);
        break;
      case "structured":
        this.line("info", `structured response "${event.name}"`, event.value);
        break;
      case "finish": {
        const { reason, state } = event;
        const answer = reason === "answer" ? state.messages.at(-1) : undefined;
        this.line(
          "info",
          `run ended after ${this.since(began)}: ${reason}, steps: ${state.step}${tokens(state.usage)}`,
          answer && textOf(answer),
        );
        break;
      }
      default: // output of the model, and events that another line reports
    }
  }

  /** @param content appended only with `captureContent` */
  private line(level: LogLevel, text: string, content?: unknown): void {
    const { options } = this;
    if (levels.indexOf(level) < levels.indexOf(options.level)) return;
    const shown = options.captureContent && content !== undefined ? ` ${jsonText(content).text}` : "";
    if (this.failure !== undefined) throw this.failure;
    try {
      const written = options.log(`${this.prefix} ${text}${shown}`, level);
      if (!(written instanceof Promise)) return;
      const writing = Promise.all([this.writing, written.catch(this.fail)]);
      writing.catch(noop); // told by the next line, or the end of the run
      this.writing = writing;
    } catch (error) {
      this.fail(error);
    }
  }

  private readonly fail = (error: unknown): never => {
    this.failure ??= new AgentError("log_failed", `log() of logging() failed: ${messageOf(error)}`, {
      cause: error,
    });
    throw this.failure;
  };

  private describe(error: unknown): string {
    const type = errorType(error);
    const kind = isInstance(error, MillraceError) ? `${error.name} ${type}` : type;
    // JSON escapes line breaks, so an error stays on one line.
    return this.options.captureContent && isInstance(error, Error)
      ? `${kind} ${jsonText(messageOf(error)).text}`
      : kind;
  }

  private now(): number {
    return this.options.clock.now();
  }

  private elapsed(id: string): string {
    const began = this.toolsBegan.get(id);
    return began === undefined ? "" : ` after ${this.since(began)}`;
  }

  private since(began: number): string {
    return `${Math.round(this.now() - began)} ms`;
  }
}

function tokens(usage: Usage | undefined): string {
  if (usage === undefined) return "";
  return `, tokens: ${usage.inputTokens ?? 0} in, ${usage.outputTokens ?? 0} out`;
}

function toolIn({ name, id }: { readonly name: string; readonly id: string }): string {
  return `tool ${asWord(name)} (${asWord(id)})`;
}

/** The model writes names and ids, and a line break in one would begin a forged line. */
function asWord(text: string): string {
  return /^[\w.:-]{1,80}$/.test(text) ? text : quoted(text, 80);
}
