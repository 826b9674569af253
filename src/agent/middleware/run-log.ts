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

export const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface RunLogOptions {
  readonly log: (line: string, level: LogLevel) => unknown;
  readonly level: LogLevel;
  readonly captureContent: boolean;
  readonly clock: Clock;
}

/** The observers that write the lines of one run. */
export interface RunLog {
  readonly ofRun: (run: RunInfo) => StreamObserver<AgentEvent>;
  readonly ofModel: (call: ModelCall) => StreamObserver<MessageChunk>;
}

export function runLog(number: number, options: RunLogOptions): RunLog {
  const { log, level: lowest, captureContent, clock } = options;
  const toolsBegan = new Map<string, number>();
  let prefix = "";
  /** The lines that `log` still writes. */
  let writing: Promise<unknown> | undefined;
  let failure: AgentError | undefined;

  const fail = (cause: unknown): never => {
    failure ??= new AgentError("log_failed", `log() of logging() failed: ${messageOf(cause)}`, { cause });
    throw failure;
  };
  /** @param content appended only with `captureContent` */
  const line = (level: LogLevel, text: string, content?: unknown): void => {
    if (levels.indexOf(level) < levels.indexOf(lowest)) return;
    const shown = captureContent && content !== undefined ? ` ${jsonText(content).text}` : "";
    if (failure !== undefined) throw failure;
    try {
      const written = log(`${prefix} ${text}${shown}`, level);
      if (!(written instanceof Promise)) return;
      writing = Promise.all([writing, written.catch(fail)]).then(noop); // without what they resolve to
      writing.catch(noop); // told by the next line, or the end of the run
    } catch (error) {
      fail(error);
    }
  };
  const described = (error: unknown): string => {
    const type = errorType(error);
    const kind = isInstance(error, MillraceError) ? `${error.name} ${type}` : type;
    // JSON escapes line breaks, so an error stays on one line.
    return captureContent && isInstance(error, Error) ? `${kind} ${jsonText(messageOf(error)).text}` : kind;
  };
  const since = (began: number): string => `after ${Math.round(clock.now() - began)} ms`;
  const elapsed = (id: string): string => {
    const began = toolsBegan.get(id);
    return began === undefined ? "" : ` ${since(began)}`;
  };

  const onEvent = (event: AgentEvent, began: number): void => {
    switch (event.type) {
      case "tool_start":
        toolsBegan.set(event.id, clock.now());
        line("info", `${toolIn(event)} started`, event.args);
        break;
      case "tool_progress":
        line("debug", `${toolIn(event)} reported progress`, event.value);
        break;
      case "tool_result":
        line("info", `${toolIn(event)} ended${elapsed(event.id)}`, textOf(event.message));
        break;
      case "tool_error":
        line("warn", `${toolIn(event)} failed${elapsed(event.id)}: ${described(event.error)}`);
        break;
      case "tool_paused":
        line(
          "warn",
          `${toolIn(event)} waits for ${(event.waitsFor && awaited[event.waitsFor]) ?? "a decision"}`,
        );
        break;
      case "structured_error":
        line("warn", `structured response is invalid, retry ${event.retry}: ${described(event.error)}`);
        break;
      case "answer_reset":
        line("warn", `answer was cut, retry ${event.retry}: ${described(event.error)}`);
        break;
      case "structured":
        line("info", `structured response "${event.name}"`, event.value);
        break;
      case "finish": {
        const { reason, state } = event;
        const answer = reason === "answer" ? state.messages.at(-1) : undefined;
        const facts = `${reason}, steps: ${state.step}${tokens(state.usage)}`;
        line("info", `run ended ${since(began)}: ${facts}`, answer && textOf(answer));
        break;
      }
      default: // output of the model, and events that another line reports
    }
  };

  return {
    ofRun({ agent = "agent" }) {
      prefix = `${agent}#${number}`;
      const began = clock.now();
      line("info", "run started");
      return {
        onItem: (event) => onEvent(event, began),
        onEnd: (ending) => {
          if (ending === "left") line("info", `run left ${since(began)}`);
          else if (ending !== "done") line("error", `run failed ${since(began)}: ${described(ending.error)}`);
          return writing;
        },
      };
    },
    ofModel({ model, step, messages, tools }) {
      const name = `${model.provider}:${model.model}`;
      const began = clock.now();
      line("info", `step ${step}: calls ${name} (messages: ${messages.length}, tools: ${tools.length})`);
      let begun = false;
      return {
        onItem: () => {
          if (!begun) line("debug", `step ${step}: first chunk ${since(began)}`);
          begun = true;
        },
        onEnd: (ending) => {
          const at = since(began);
          if (ending === "done") line("info", `step ${step}: ${name} ended ${at}`);
          else if (ending === "left") line("info", `step ${step}: ${name} stopped ${at}`);
          else line("warn", `step ${step}: ${name} failed ${at}: ${described(ending.error)}`);
        },
      };
    },
  };
}

const awaited = { client: "the client", agent: "a call inside it" } as const;

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
