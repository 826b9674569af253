import { isRecord } from "../messages/loose.js";
import type { Middleware } from "../agent/middleware/middleware.js";
import { checkSelection } from "../agent/middleware/tool-selection.js";
import type { JsonObject } from "../json/value.js";
import { milliseconds, wholeNumber } from "../text/check-number.js";
import { longestTimer } from "../stream/time/clock.js";
import { atOnce, checkOptions, type OptionNames, checkArgument } from "../text/check-options.js";
import type { Tool } from "../tools/define/tool.js";
import type { AnyTool } from "../tools/run/any-tool.js";
import type { ToolRuntime } from "../tools/run/runtime.js";
import { cut } from "../text/cut.js";
import { isInstance } from "../text/thrown.js";
import {
  askTool,
  type McpClient,
  type McpNotification,
  type McpProgress,
  type McpRequestSettings,
} from "./client.js";
import { type Reconnect, requestsTo, type Sending } from "./connection.js";
import { answerElicitations, type OnElicitation } from "./elicitation.js";
import { McpToolsError } from "./errors.js";
import { type ListBounds, listTools } from "./listing.js";
import { type Definition, leftOutError, nameIn, offeredTool, type OfferOptions } from "./offer.js";
import { type ResultOptions, toToolMessage } from "./result.js";
import { withReadableMedia } from "./unreadable-media.js";

/** The options of `mcpTools()`. */
export interface McpToolsOptions {
  /** Begins the names that the model sees: `github` makes `github_search` of `search`. */
  readonly prefix?: string;
  /** The tools to offer, by their names at the server. Default: all. */
  readonly include?: NameSelection;
  /**
   * Tools that may run any number of times for one call, by their names at the server. Their calls are sent again after a
   * lost connection, and a durable run may repeat them. Default: none. Calls of a tool with the hint `idempotentHint` are
   * sent again, too.
   */
  readonly repeatable?: NameSelection;
  /**
   * Called when there is no connection, before a request is sent again. Connect the client again, or return another one.
   * Without it, such a call fails.
   */
  readonly reconnect?: Reconnect;
  /**
   * Asks the user what the server wants to know while a call runs. The client must have been created with the capability
   * `elicitation`. Without it, the client's own handler answers, if it has one.
   */
  readonly onElicitation?: OnElicitation;
  /** The time limit of a call in milliseconds. Default: 600,000. */
  readonly timeout?: number;
  /** How long the server may be silent in a request, in milliseconds. Progress counts. Default: 60,000. */
  readonly idleTimeout?: number;
  /** The maximum number of characters of a result that the model gets. The rest is cut, with a note. Default: 50,000. */
  readonly maxResultChars?: number;
  /** The maximum size of a result with its media, in characters. A larger one is an error. Default: 10,000,000. */
  readonly maxResultSize?: number;
  /** Whether the artifact of the tool message is the whole result of the server instead of `structuredContent`. */
  readonly keepResult?: boolean;
  /** The maximum number of tools. Default: 1,000. */
  readonly maxTools?: number;
  /** The maximum number of pages of the list of tools. Default: 100. */
  readonly maxPages?: number;
  /** The maximum length of a description; the rest is cut. Default: 4,000. */
  readonly maxDescriptionChars?: number;
  /** The maximum length of a schema as JSON. A tool with a longer one is left out. Default: 100,000. */
  readonly maxSchemaChars?: number;
}

/** Selects tools by their names at the server. */
export type NameSelection = readonly string[] | ((name: string) => boolean);

// prettier-ignore
const optionNames = {
  prefix: true, include: true, repeatable: true, reconnect: true, onElicitation: true, timeout: true, idleTimeout: true,
  maxResultChars: true, maxResultSize: true, keepResult: true, maxTools: true, maxPages: true,
  maxDescriptionChars: true, maxSchemaChars: true,
} satisfies OptionNames<McpToolsOptions>;

/** The tools of a server. */
export interface McpTools {
  /** The tools of the last list. */
  readonly tools: readonly Tool<JsonObject>[];
  /** The tools that are left out of the last list and why, and the error of a list that failed after the first. */
  readonly problems: readonly McpToolsError[];
  /**
   * For agents whose server may change its list: each model call gets the latest list. It also replaces media that the
   * model cannot read by a text.
   */
  readonly middleware: Middleware;
  /**
   * Lists the tools again.
   *
   * @throws {McpToolsError}
   */
  refresh(signal?: AbortSignal): Promise<readonly Tool<JsonObject>[]>;
}

/**
 * Makes tools of those that an MCP server offers. The client is one of the official SDK, connected. It stays yours: close
 * it when the agent no longer runs.
 *
 * A result of the server becomes the message for the model: texts, media, and `structuredContent`, which is checked against
 * the `outputSchema` of the tool and is the artifact. Progress is progress, the signal of the run cancels the call, and the
 * hints of the server are the `effects` of the tools.
 *
 * @throws {McpToolsError} if the tools cannot be listed
 *
 * @example
 * ```ts no-run
 * import { Client } from "@modelcontextprotocol/client";
 * import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
 * import { createAgent } from "millrace";
 * import { mcpTools } from "millrace/mcp";
 *
 * const client = new Client({ name: "app", version: "1.0.0" });
 * await client.connect(new StdioClientTransport({ command: "npx", args: ["@modelcontextprotocol/server-everything"] }));
 * const { tools, middleware } = await mcpTools(client, { prefix: "demo" });
 * const agent = createAgent({ model: "anthropic:claude-haiku-4-5", tools, middleware: [middleware] });
 * ```
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<McpTools> {
  const server = toolsOf(client, options);
  await server.refresh();
  return server;
}

function toolsOf(first: McpClient, options: McpToolsOptions): McpTools {
  checkArgument("mcpTools()", "a connected client", isRecord(first), first);
  checkOptions("mcpTools()", options, optionNames);
  const { include = () => true, repeatable = [], prefix, reconnect, onElicitation } = options;
  checkSelection("include of mcpTools()", include);
  checkSelection("repeatable of mcpTools()", repeatable);
  const settings = settingsOf(options);
  const isIncluded = selects(include);
  const isRepeatable = selects(repeatable);
  let tools: readonly Tool<JsonObject>[] = [];
  let problems: readonly McpToolsError[] = [];
  /** All tools that were made here. */
  const made = new WeakSet<object>();
  /** A signal for each call that runs, aborted at its end. */
  const running = new Set<AbortSignal>();
  const heard = new WeakSet<McpClient>();
  /** The names of the first list. An agent may have only some of them. */
  let initial: ReadonlySet<string> | undefined;
  let changed = false;
  let stale = false;

  /**
   * Answers questions, and notes a change of the list. A handler of the program for this notification is not replaced: it calls `refresh()`.
   */
  const listen = (client: McpClient): void => {
    if (heard.has(client)) return; // connected again
    heard.add(client);
    if (onElicitation !== undefined) answerElicitations(client, onElicitation, running);
    const { fallbackNotificationHandler: next } = client;
    Object.assign(client, {
      fallbackNotificationHandler: async (notification: McpNotification) => {
        if (notification.method === "notifications/tools/list_changed") stale = true;
        await next?.(notification);
      },
    });
  };
  const request = requestsTo(first, reconnect, (connected) => {
    stale = true;
    listen(connected);
  });
  const requestOptions = (signal: AbortSignal | undefined): McpRequestSettings => ({
    ...(signal !== undefined && { signal }),
    timeout: Math.min(settings.idleTimeout, longestTimer),
    resetTimeoutOnProgress: true,
  });
  const call = async (
    definition: Definition,
    args: JsonObject,
    { signal, emit }: ToolRuntime,
  ): Promise<unknown> => {
    const { name, effects } = definition;
    const ended = new AbortController();
    running.add(ended.signal);
    const onprogress = (progress: McpProgress): void => {
      emit(shownProgress(progress));
    };
    const result = await request({
      send: (client, aborted) =>
        askTool(client, definition, args, { ...requestOptions(aborted), onprogress }),
      ...{ signal, tool: name },
      repeatable: effects.idempotent === true || isRepeatable(name),
    }).finally(() => {
      running.delete(ended.signal);
      ended.abort(signal.reason);
    });
    return toToolMessage(result, definition, settings);
  };
  const take = (sent: readonly unknown[]): void => {
    const taken = new Map<string, Tool<JsonObject>>();
    const leftOut: McpToolsError[] = [];
    for (const definition of sent) {
      if (!isIncluded(nameIn(definition))) continue;
      try {
        const offered = offeredTool(definition, { prefix, isRepeatable, ...settings, call });
        if (taken.has(offered.name))
          throw leftOutError(nameIn(definition), `The name "${offered.name}" is taken.`);
        taken.set(offered.name, offered);
        made.add(offered);
      } catch (error) {
        leftOut.push(error as McpToolsError);
      }
    }
    tools = [...taken.values()];
    problems = leftOut;
    changed = initial !== undefined;
    initial ??= new Set(taken.keys());
  };
  const refresh = async (signal?: AbortSignal): Promise<readonly Tool<JsonObject>[]> => {
    stale = false;
    const send: Sending["send"] = (client, aborted) => listTools(client, settings, requestOptions(aborted));
    try {
      take((await request({ send, signal, repeatable: true })) as unknown[]);
    } catch (error) {
      stale = true;
      if (!isInstance(error, McpToolsError) || error.code === "listing") throw error;
      const message = `The tools of the server cannot be listed. ${error.message}`;
      throw new McpToolsError("listing", message, { cause: error, serverCode: error.serverCode });
    }
    return tools;
  };
  /** Lists the tools again if the list has changed. With an error, the tools stay as they are. */
  const update = async (signal: AbortSignal): Promise<void> => {
    if (!stale) return;
    try {
      await refresh(signal);
    } catch (error) {
      signal.throwIfAborted();
      problems = [...problems.filter(({ code }) => code === "left_out"), error as McpToolsError];
    }
  };
  /** The tools of an agent, with those of the server as they are now. Tools of the agent keep their names. */
  const current = (offered: readonly AnyTool[]): readonly AnyTool[] => {
    if (!changed) return offered;
    const byName = new Map(tools.map((it) => [it.name, it]));
    const kept = offered.flatMap((it) => (made.has(it) ? (byName.get(it.name) ?? []) : it));
    const names = new Set(kept.map(({ name }) => name));
    return [...kept, ...tools.filter(({ name }) => !names.has(name) && initial?.has(name) !== true)];
  };

  listen(first);
  return {
    get tools() {
      return tools;
    },
    get problems() {
      return problems;
    },
    refresh,
    middleware: {
      name: "mcpTools",
      async *aroundModel(modelCall, next) {
        await update(modelCall.run.signal);
        const messages = withReadableMedia(modelCall.messages, modelCall.model.profile);
        yield* next({ ...modelCall, tools: current(modelCall.tools), messages });
      },
    },
  };
}

/** The limits with their defaults. */
function settingsOf(options: McpToolsOptions): ResultOptions &
  ListBounds &
  Pick<OfferOptions, "timeout" | "maxDescriptionChars" | "maxSchemaChars"> & {
    readonly idleTimeout: number;
  } {
  return {
    timeout: milliseconds("timeout", options.timeout ?? 600_000),
    idleTimeout: milliseconds("idleTimeout", options.idleTimeout ?? 60_000),
    maxResultChars: wholeNumber("maxResultChars", options.maxResultChars ?? 50_000, 0),
    maxResultSize: wholeNumber("maxResultSize", options.maxResultSize ?? 10_000_000, 0),
    keepResult: options.keepResult ?? false,
    maxTools: wholeNumber("maxTools", options.maxTools ?? 1_000, 1),
    maxPages: wholeNumber("maxPages", options.maxPages ?? 100, 1),
    maxDescriptionChars: wholeNumber("maxDescriptionChars", options.maxDescriptionChars ?? 4_000, 0),
    maxSchemaChars: wholeNumber("maxSchemaChars", options.maxSchemaChars ?? 100_000, 2),
  };
}

function selects(selection: NameSelection): (name: string) => boolean {
  return typeof selection === "function"
    ? (name) => atOnce("A selection of mcpTools()", selection(name))
    : (name) => selection.includes(name);
}

function shownProgress({ progress, total, message }: McpProgress): McpProgress {
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: cut(message, 1_000) }),
  };
}
