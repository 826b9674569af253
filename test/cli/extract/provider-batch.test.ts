import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { type Outcome, parsed, run } from "../harness.js";

interface Line {
  readonly custom_id: string;
  readonly body: { readonly stream?: boolean; readonly messages: readonly { readonly content: unknown }[] };
}

/** The batch endpoints of OpenAI and Anthropic, as their documents describe them. */
class BatchServer {
  /** Batches by id: their requests and metadata. */
  readonly batches = new Map<string, { readonly lines: readonly Line[]; readonly metadata?: unknown }>();
  /** Whether batches end. */
  ends = true;
  /** Ids of documents whose request fails once. */
  readonly expire = new Set<string>();
  private readonly files = new Map<string, string>();
  private readonly server: Server = createServer((request, response) => {
    void this.respond(request).then(
      (value) => response.end(typeof value === "string" ? value : JSON.stringify(value)),
      (error: unknown) => {
        response.statusCode = 400;
        response.end(JSON.stringify({ error: { message: String(error) } }));
      },
    );
  });

  async start(): Promise<string> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async respond(request: IncomingMessage): Promise<unknown> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const path = (request.url ?? "").replace(/\?.*/, "");
    const key = `${request.method ?? ""} ${path}`;
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

  private add(lines: readonly Line[], metadata?: unknown): string {
    if (lines.some(({ body }) => body.stream !== undefined)) throw new Error("stream is not allowed");
    if (new Set(lines.map((line) => line.custom_id)).size < lines.length) throw new Error("custom_id");
    const id = `batch-${this.batches.size}`;
    this.batches.set(id, { lines, metadata });
    return id;
  }

  private openai(id: string): object {
    const status = this.ends ? "completed" : "in_progress";
    const files = { output_file_id: `${id}+good`, error_file_id: `${id}+bad` };
    return { id, status, metadata: this.batches.get(id)?.metadata, ...(this.ends && files) };
  }

  private output(file: string): string {
    const [id = "", kind] = file.split("+");
    return ndjson(this.lines(id), (line, number) => {
      const isBad = this.expire.has(number) || number === "3";
      if (isBad !== (kind === "bad")) return undefined;
      if (this.expire.delete(number))
        return { custom_id: line, response: null, error: { code: "batch_expired" } };
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
    return { id, type: "message_batch", processing_status: this.ends ? "ended" : "in_progress" };
  }

  private results(id: string): string {
    return ndjson(this.lines(id), (line, number) => {
      if (this.expire.delete(number)) return { custom_id: line, result: { type: "expired" } };
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

let folder: string;
let server: BatchServer;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-batch-"));
  const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
  await writeFile(join(folder, "s.json"), JSON.stringify(schema));
  const rows = Array.from({ length: 6 }, (_, n) => JSON.stringify({ text: `Document ${n}` }));
  await writeFile(join(folder, "in.jsonl"), rows.join("\n"));
  server = new BatchServer();
  url = await server.start();
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

function extract(model: string, signal?: AbortSignal): Promise<Outcome> {
  const args = [
    "--model",
    model,
    "--base-url",
    url,
    "--schema",
    join(folder, "s.json"),
    "--prompt",
    "{text}",
  ];
  const files = ["--input", join(folder, "in.jsonl"), "--out", join(folder, "out.jsonl"), "--provider-batch"];
  const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  return run(["extract", ...args, ...files], { env, ...(signal && { signal }) });
}

async function found(): Promise<{ objects: number[]; errors: string[] }> {
  const read = async (name: string) => {
    const text = await readFile(join(folder, name), "utf8");
    return text === "" ? [] : parsed(text);
  };
  const objects = (await read("out.jsonl")) as { readonly object: { readonly n: number } }[];
  const errors = (await read("out.errors.jsonl")) as { readonly kind: string; readonly message: string }[];
  return { objects: objects.map(({ object }) => object.n).sort(), errors: errors.map(({ kind }) => kind) };
}

const complete = { objects: [0, 1, 2, 4, 5], errors: ["request"] };

for (const model of ["openai:gpt-5-mini", "anthropic:claude-haiku-4-5"]) {
  test(`${model}: a request that failed is an error, and one that expired is sent again`, async () => {
    server.expire.add("4");
    expect((await extract(model)).code).toBe(1);
    expect(await found()).toEqual(complete);
    expect([...server.batches.values()].map(({ lines }) => lines.length)).toEqual([6, 1]);
  });

  test.each(["with its id", "without its id"])(
    `${model}: a run that was stopped finds its batch again, recorded %s`,
    async (how) => {
      server.ends = false;
      const stop = new AbortController();
      const first = extract(model, stop.signal);
      const file = join(folder, "out.jsonl.run/batch.json");
      const record = (): Promise<string> => readFile(file, "utf8").catch(() => "");
      await vi.waitUntil(async () => (await record()).includes('"id"'), { timeout: 10_000 });
      stop.abort(new Stop("interrupted"));
      await first;
      if (how === "without its id") {
        const { token } = JSON.parse(await record()) as { readonly token: string };
        await writeFile(file, JSON.stringify({ token })); // as if it was killed before the response
      }
      server.ends = true;
      await extract(model);
      expect(await found()).toEqual(complete);
      expect(server.batches.size).toBe(1);
    },
  );
}

test("a refused key ends the command, and nothing is lost", async () => {
  await server.stop();
  server = new BatchServer();
  const refusing = createServer((_request, response) => {
    response.statusCode = 401;
    response.end('{"error":{"message":"wrong key"}}');
  }).listen(0, "127.0.0.1");
  await once(refusing, "listening");
  url = `http://127.0.0.1:${String((refusing.address() as AddressInfo).port)}/v1`;
  const { code, stderr } = await extract("openai:gpt-5-mini");
  refusing.close();
  expect(code).toBeGreaterThan(1);
  expect(stderr).toContain("401");
  url = await server.start();
  await extract("openai:gpt-5-mini");
  expect(await found()).toEqual(complete);
});
