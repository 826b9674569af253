import type { IncomingMessage, ServerResponse } from "node:http";
import { listen, type Listening } from "../../../behaviour/browser/support/listen.js";
import { parsed } from "../../harness.js";

export interface Line {
  readonly custom_id: string;
  readonly body: { readonly stream?: boolean; readonly messages: readonly { readonly content: unknown }[] };
}

interface Batch {
  readonly lines: readonly Line[];
  readonly metadata?: unknown;
  readonly createdAt: number;
  readonly ends: boolean;
  /** Numbers of documents whose request expires or is cancelled. */
  readonly expired: ReadonlySet<string>;
  readonly cancelled: ReadonlySet<string>;
  readonly failure?: string | undefined;
}

/** The batch endpoints of OpenAI and Anthropic, as their documents describe them. */
export class BatchServer {
  readonly batches = new Map<string, Batch>();
  /** Whether batches end. */
  ends = true;
  /** Whether no client learns that its batch was created. */
  holds = false;
  /** The requests so far. */
  requests = 0;
  /** Why new batches fail as a whole, at OpenAI. */
  failure: string | undefined;
  /** Numbers of documents whose request expires in the next batch. */
  readonly expire = new Set<string>();
  /** Numbers of documents whose request is cancelled in new batches. */
  readonly cancel = new Set<string>();
  /** Replaces the response to a request, such as `GET /v1/batches/batch-0`. */
  replace: (request: string) => string | undefined = () => undefined;
  private readonly files = new Map<string, string>();
  private server: Listening | undefined;

  async start(): Promise<string> {
    this.server = await listen((request, response) => this.answer(request, response));
    return `${this.server.url}/v1`;
  }

  async stop(): Promise<void> {
    await this.server?.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const value = await this.respond(request);
      if (this.holds && request.url?.endsWith("/batches") === true) return;
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { message: String(error) } }));
    }
  }

  private async respond(request: IncomingMessage): Promise<unknown> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const path = (request.url ?? "").replace(/\?.*/, "");
    this.requests++;
    const key = `${request.method ?? ""} ${path}`;
    const replaced = this.replace(key);
    if (replaced !== undefined) return replaced;
    if (key === "POST /v1/files") {
      const id = `file-${this.files.size}`;
      const [text = ""] = /\{.*\}/s.exec(body) ?? [];
      this.files.set(id, text);
      return { id };
    }
    if (key === "POST /v1/batches") {
      const { input_file_id: file, endpoint, metadata } = JSON.parse(body) as Record<string, string>;
      if (endpoint !== "/v1/chat/completions") throw new Error("endpoint");
      const lines = parsed(this.files.get(file ?? "") ?? "") as Line[];
      return this.openai(this.add(lines, metadata));
    }
    if (key === "GET /v1/batches")
      return { data: [...this.batches.keys()].map((id) => this.openai(id)), has_more: false };
    if (path.startsWith("/v1/batches/")) return this.openai(path.slice("/v1/batches/".length));
    if (path.startsWith("/v1/files/")) return this.output(path.split("/")[3] ?? "");
    if (key === "POST /v1/messages/batches") {
      const { requests } = JSON.parse(body) as { requests: { custom_id: string; params: Line["body"] }[] };
      return this.anthropic(this.add(requests.map((it) => ({ custom_id: it.custom_id, body: it.params }))));
    }
    if (key === "GET /v1/messages/batches")
      return { data: [...this.batches.keys()].map((id) => this.anthropic(id)), has_more: false };
    const [, id = "", results] = /^\/v1\/messages\/batches\/([^/]+)(\/results)?$/.exec(path) ?? [];
    return results === undefined ? this.anthropic(id) : this.results(id);
  }

  /** Adds a batch and returns its id. */
  add(lines: readonly Line[], metadata?: unknown, other: Partial<Batch> = {}): string {
    if (lines.some(({ body }) => body.stream !== undefined)) throw new Error("stream is not allowed");
    if (new Set(lines.map((line) => line.custom_id)).size < lines.length) throw new Error("custom_id");
    const id = `batch-${this.batches.size}`;
    this.batches.set(id, {
      lines,
      metadata,
      createdAt: Date.now(),
      ends: true,
      expired: new Set(this.expire),
      cancelled: new Set(this.cancel),
      failure: this.failure,
      ...other,
    });
    this.expire.clear();
    return id;
  }

  private openai(id: string): object {
    const batch = this.batches.get(id);
    const facts = { id, metadata: batch?.metadata, created_at: (batch?.createdAt ?? 0) / 1_000 };
    if (batch?.failure !== undefined)
      return { ...facts, status: "failed", errors: { data: [{ message: batch.failure }] } };
    if (!this.hasEnded(id)) return { ...facts, status: "in_progress" };
    const status = batch !== undefined && batch.cancelled.size > 0 ? "cancelled" : "completed";
    return { ...facts, status, output_file_id: `${id}+good`, error_file_id: `${id}+bad` };
  }

  private output(file: string): string {
    const [id = "", kind] = file.split("+");
    const { expired, cancelled } = this.batches.get(id) as Batch;
    return ndjson(this.lines(id), (line, number) => {
      const isBad = expired.has(number) || cancelled.has(number) || number === "3";
      if (isBad !== (kind === "bad")) return undefined;
      if (expired.has(number)) return { custom_id: line, response: null, error: { code: "batch_expired" } };
      if (cancelled.has(number))
        return { custom_id: line, response: null, error: { code: "batch_cancelled", message: "cancelled" } };
      if (number === "3")
        return { custom_id: line, response: { status_code: 400, body: { error: { message: "too long" } } } };
      const choices = [
        { index: 0, message: { role: "assistant", content: `{"n": ${number}}` }, finish_reason: "stop" },
      ];
      const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
      return {
        custom_id: line,
        response: { status_code: 200, body: { id: "c", choices, usage } },
        error: null,
      };
    });
  }

  private anthropic(id: string): object {
    const { lines = [], createdAt = 0 } = this.batches.get(id) ?? {};
    return {
      ...{ id, type: "message_batch", processing_status: this.hasEnded(id) ? "ended" : "in_progress" },
      created_at: new Date(createdAt).toISOString(),
      request_counts: { processing: 0, succeeded: lines.length - 1, errored: 1, canceled: 0, expired: 0 },
    };
  }

  private hasEnded(id: string): boolean {
    return this.ends && this.batches.get(id)?.ends === true;
  }

  private results(id: string): string {
    const { expired, cancelled } = this.batches.get(id) as Batch;
    return ndjson(this.lines(id), (line, number) => {
      if (expired.has(number)) return { custom_id: line, result: { type: "expired" } };
      if (cancelled.has(number)) return { custom_id: line, result: { type: "canceled" } };
      if (number === "3") {
        const error = { type: "error", error: { type: "invalid_request_error", message: "too long" } };
        return { custom_id: line, result: { type: "errored", error } };
      }
      const content = [{ type: "text", text: `{"n": ${number}}` }];
      const usage = { input_tokens: 20, output_tokens: 5 };
      const message = {
        id: "m",
        type: "message",
        role: "assistant",
        model: "c",
        content,
        stop_reason: "end_turn",
        usage,
      };
      return { custom_id: line, result: { type: "succeeded", message } };
    });
  }

  private lines(id: string): (readonly [string, string])[] {
    return (this.batches.get(id)?.lines ?? []).map(({ custom_id: name, body }) => [
      name,
      /Document (\d+)/.exec(JSON.stringify(body.messages))?.[1] ?? "",
    ]);
  }
}

function ndjson(
  lines: readonly (readonly [string, string])[],
  answer: (id: string, number: string) => object | undefined,
): string {
  return lines
    .map(([id, number]) => answer(id, number))
    .filter((line) => line !== undefined)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}
