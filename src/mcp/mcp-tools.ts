import type { Middleware } from "../agent/middleware/middleware.js";
import type { JsonObject } from "../json/value.js";
import { milliseconds, wholeNumber } from "../text/check-number.js";
import { longestTimer } from "../stream/time/clock.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import type { Tool } from "../tools/define/tool.js";
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
import { McpConnection, type Reconnect } from "./connection.js";
import { answerElicitations, type OnElicitation } from "./elicitation.js";
import { McpToolsError } from "./errors.js";
import { listTools } from "./listing.js";
import { type Definition, leftOutError, nameIn, offeredTool } from "./offer.js";
import { toToolMessage } from "./result.js";
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
  const server = new ToolsOfServer(client, options);
  await server.refresh();
  return server;
}

class ToolsOfServer implements McpTools {
  tools: readonly Tool<JsonObject>[] = [];
  problems: readonly McpToolsError[] = [];
  readonly middleware: Middleware;

  private readonly options: Required<
    Omit<McpToolsOptions, "prefix" | "reconnect" | "include" | "repeatable" | "onElicitation">
  >;
  private readonly prefix: string | undefined;
  private readonly isIncluded: (name: string) => boolean;
  private readonly isRepeatable: (name: string) => boolean;
  private readonly connection: McpConnection;
  /** All tools that were made here. */
  private readonly made = new WeakSet<object>();
  /** A signal for each call that runs, aborted at its end. */
  private readonly running = new Set<AbortSignal>();
  private readonly onElicitation: OnElicitation | undefined;
  private readonly heard = new WeakSet<McpClient>();
  /** The names of the first list. An agent may have only some of them. */
  private initial: ReadonlySet<string> | undefined;
  private changed = false;
  private stale = false;

  constructor(client: McpClient, options: McpToolsOptions) {
    checkOptions("mcpTools()", options, optionNames);
    const { include, repeatable = [], prefix, reconnect } = options;
    this.options = {
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
    this.prefix = prefix;
    this.onElicitation = options.onElicitation;
    this.isIncluded = include === undefined ? () => true : selects(include);
    this.isRepeatable = selects(repeatable);
    this.connection = new McpConnection(client, reconnect, (connected) => {
      this.stale = true;
      this.listen(connected);
    });
    this.listen(client);
    this.middleware = this.toMiddleware();
  }

  async refresh(signal?: AbortSignal): Promise<readonly Tool<JsonObject>[]> {
    this.stale = false;
    let sent: unknown[];
    try {
      sent = (await this.connection.request({
        send: (client, aborted) => listTools(client, this.options, this.requestOptions(aborted)),
        signal,
        repeatable: true,
      })) as unknown[];
    } catch (error) {
      this.stale = true;
      if (!isInstance(error, McpToolsError) || error.code === "listing") throw error;
      const message = `The tools of the server cannot be listed. ${error.message}`;
      throw new McpToolsError("listing", message, { cause: error, serverCode: error.serverCode });
    }
    this.take(sent);
    return this.tools;
  }

  private take(sent: readonly unknown[]): void {
    const tools = new Map<string, Tool<JsonObject>>();
    const problems: McpToolsError[] = [];
    for (const definition of sent) {
      if (!this.isIncluded(nameIn(definition))) continue;
      try {
        const made = this.offer(definition);
        if (tools.has(made.name)) throw leftOutError(nameIn(definition), `The name "${made.name}" is taken.`);
        tools.set(made.name, made);
        this.made.add(made);
      } catch (error) {
        problems.push(error as McpToolsError);
      }
    }
    this.tools = [...tools.values()];
    this.problems = problems;
    this.changed = this.initial !== undefined;
    this.initial ??= new Set(tools.keys());
  }

  private offer(definition: unknown): Tool<JsonObject> {
    const { prefix, isRepeatable, options } = this;
    return offeredTool(definition, {
      ...{ prefix, isRepeatable },
      ...options,
      call: (...args) => this.call(...args),
    });
  }

  private async call(
    definition: Definition,
    args: JsonObject,
    { signal, emit }: ToolRuntime,
  ): Promise<unknown> {
    const { name, effects } = definition;
    const ended = new AbortController();
    this.running.add(ended.signal);
    const result = await this.connection
      .request({
        send: (client, aborted) =>
          askTool(client, definition, args, {
            ...this.requestOptions(aborted),
            onprogress: (progress) => {
              emit(shownProgress(progress));
            },
          }),
        signal,
        tool: name,
        repeatable: effects.idempotent === true || this.isRepeatable(name),
      })
      .finally(() => {
        this.running.delete(ended.signal);
        ended.abort(signal.reason);
      });
    return toToolMessage(result, definition, this.options);
  }

  private requestOptions(signal: AbortSignal | undefined): McpRequestSettings {
    return {
      ...(signal !== undefined && { signal }),
      timeout: Math.min(this.options.idleTimeout, longestTimer),
      resetTimeoutOnProgress: true,
    };
  }

  /**
   * Answers questions, and notes a change of the list. A handler of the program for this notification is not replaced: it calls `refresh()`.
   */
  private listen(client: McpClient): void {
    if (this.heard.has(client)) return; // connected again
    this.heard.add(client);
    if (this.onElicitation !== undefined) answerElicitations(client, this.onElicitation, this.running);
    const { fallbackNotificationHandler: next } = client;
    Object.assign(client, {
      fallbackNotificationHandler: async (notification: McpNotification) => {
        if (notification.method === "notifications/tools/list_changed") this.stale = true;
        await next?.(notification);
      },
    });
  }

  private toMiddleware(): Middleware {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- a generator has a `this` of its own
    const server = this;
    return {
      name: "mcpTools",
      async *aroundModel(call, next) {
        await server.update(call.run.signal);
        const { tools, messages, model } = call;
        yield* next({
          ...call,
          tools: server.current(tools),
          messages: withReadableMedia(messages, model.profile),
        });
      },
    };
  }

  /** Lists the tools again if the list has changed. With an error, the tools stay as they are. */
  private async update(signal: AbortSignal): Promise<void> {
    if (!this.stale) return;
    try {
      await this.refresh(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.problems = [...this.problems.filter(({ code }) => code === "left_out"), error as McpToolsError];
    }
  }

  /** The tools of an agent, with those of the server as they are now. Tools of the agent keep their names. */
  private current<T extends { readonly name: string }>(
    tools: readonly T[],
  ): readonly (T | Tool<JsonObject>)[] {
    if (!this.changed) return tools;
    const byName = new Map(this.tools.map((it) => [it.name, it]));
    const kept = tools.flatMap((it) => (this.made.has(it) ? (byName.get(it.name) ?? []) : it));
    const names = new Set(kept.map(({ name }) => name));
    return [
      ...kept,
      ...this.tools.filter(({ name }) => !names.has(name) && this.initial?.has(name) !== true),
    ];
  }
}

function selects(selection: NameSelection): (name: string) => boolean {
  return typeof selection === "function" ? selection : (name) => selection.includes(name);
}

function shownProgress({ progress, total, message }: McpProgress): McpProgress {
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: cut(message, 1_000) }),
  };
}
