import { type Clock, filter, from, map, pipe, textOf } from "millrace";
import type { JsonValue } from "millrace/json";
import { boundedHandler, memoryLog, RequestError } from "millrace/serve";
import { ask } from "./ask.js";
import { cutText } from "./cut-text.js";
import { failedEnd } from "./failed-end.js";
import { PlaygroundRun, type RunContext } from "./playground-run.js";
import type { Begun, Refusal, RunRequest, PlaygroundSetup, Source } from "../protocol.js";
import { modelFor, providers } from "./providers.js";
import { readComponents, readControl, readRunRequest, readSchema } from "./read-run-request.js";
import { type ChunkedText, isText, recordedChunks } from "./recorded-chunks.js";
import type { Recordings } from "./recordings.js";
import { type RunFormat, specParser } from "./run-parser.js";
import type { StaticFiles } from "./static-files.js";

/** The options of {@link Playground}. */
export interface PlaygroundOptions {
  readonly files: StaticFiles;
  readonly recordings: Recordings;
  /** Accepted values of the Host header, with port. */
  readonly hosts: ReadonlySet<string>;
  /** Called with errors whose details are not sent to the page. */
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
  /** Maximum number of runs at the same time. A further run stops the oldest one. Default: 16. */
  readonly maxRuns?: number;
  /** Maximum size of a request body in bytes. Default: 8 MB. */
  readonly maxBody?: number;
}

/** Handles the playground's requests. */
export class Playground {
  private readonly options: PlaygroundOptions;
  private readonly maxRuns: number;
  private readonly context: RunContext;
  /** Runs by id, the oldest first. */
  private readonly runs = new Map<string, PlaygroundRun>();
  /** Checks the origin and the body of a request. */
  private readonly post: (request: Request) => Promise<Response>;

  constructor(options: PlaygroundOptions) {
    const { clock, maxRuns = 16, maxBody = 8_000_000 } = options;
    this.options = options;
    this.maxRuns = maxRuns;
    // Each run has two logs. Twice as many again, because a stopped run takes a moment to end.
    this.context = {
      log: memoryLog({ maxRuns: 4 * maxRuns }),
      clock,
      onError: options.onError,
    };
    this.post = boundedHandler(
      (body, { url }) => this.answered(() => this.receive(body, new URL(url).pathname)),
      { maxBody },
    );
  }

  handle(request: Request): Promise<Response> {
    return this.answered(() => {
      this.checkSender(request);
      if (request.method === "POST") return this.post(request);
      return request.method === "GET" ? this.find(request) : undefined;
    });
  }

  /** The answer, or what the page may know of an error. */
  private async answered(
    answer: () => Response | undefined | Promise<Response | undefined>,
  ): Promise<Response> {
    try {
      return (await answer()) ?? json(notFound, 404);
    } catch (error) {
      if (!(error instanceof RequestError)) this.options.onError(error);
      const { code, message } = failedEnd(error);
      return json({ code, message }, error instanceof RequestError ? error.status : 500);
    }
  }

  /** Ends all runs. */
  async close(): Promise<void> {
    await Promise.all([...this.runs.values()].map((run) => run.stop()));
    this.runs.clear();
  }

  /**
   * Rejects other origins, and other host names. The latter prevents DNS rebinding, where a foreign name resolves to
   * this machine.
   */
  private checkSender({ url, headers }: Request): void {
    const { host } = new URL(url);
    const origin = headers.get("origin");
    const isOwn = origin === null || (URL.canParse(origin) && new URL(origin).host === host);
    if (isOwn && this.options.hosts.has(host)) return;
    throw new RequestError("forbidden_origin", "The playground accepts requests only from its own page.");
  }

  private async find(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/setup") return json(await this.setup());
    const { run, part } = this.runAt(pathname);
    if (run !== undefined && (part === "document" || part === "trace"))
      return run.events(part, request.headers.get("last-event-id"));
    return this.options.files(pathname);
  }

  private async receive(body: JsonValue, pathname: string): Promise<Response | undefined> {
    if (pathname === "/api/runs") return json(await this.begin(await readRunRequest(body)), 201);
    const { run, part } = this.runAt(pathname);
    if (run === undefined || part !== "control") return undefined;
    await run.control(await readControl(body));
    return json({});
  }

  private runAt(pathname: string): { readonly run: PlaygroundRun | undefined; readonly part: string } {
    const [, id = "", part = ""] = /^\/api\/runs\/([\w-]+)\/(document|trace|control)$/.exec(pathname) ?? [];
    return { run: this.runs.get(id), part };
  }

  private async setup(): Promise<PlaygroundSetup> {
    return {
      recordings: [...this.options.recordings.keys()],
      providers: await providers(),
    };
  }

  private async begin(request: RunRequest): Promise<Begun> {
    const format = await formatOf(request);
    const over = new AbortController();
    const text = await this.chunksOf(request.source, format, over.signal);
    const { strict = false, pace } = request;
    const run = new PlaygroundRun({ ...text, format, strict, pace, over }, this.context);
    this.runs.set(run.id, run);
    const [oldest] = this.runs.values();
    if (this.runs.size > this.maxRuns && oldest !== undefined) {
      this.runs.delete(oldest.id);
      await oldest.stop();
    }
    return { id: run.id };
  }

  private async chunksOf(source: Source, format: RunFormat, signal: AbortSignal): Promise<ChunkedText> {
    switch (source.kind) {
      case "text":
        return { chunks: from(cutText(source.text, source.chunking)), total: source.text.length };
      case "lines":
        return recordedChunks(source.text);
      case "recording": {
        const text = this.options.recordings.get(source.name);
        if (text === undefined)
          throw new RequestError("invalid_input", "Unknown recording. Choose one from the list.");
        return recordedChunks(text);
      }
      case "model": {
        const model = await modelFor(source.model);
        const { prompt } = source;
        const answer =
          format.kind === "json"
            ? ask(model, prompt, format.schema, signal)
            : model.stream(`${prompt}\n\n${specParser(format.components).instructions}`, { signal });
        return { chunks: pipe(answer, map(textOf), filter(isText)), total: null };
      }
    }
  }
}

async function formatOf({ format = "json", schema }: RunRequest): Promise<RunFormat> {
  if (format === "json")
    return { kind: "json", schema: schema === undefined ? undefined : await readSchema(schema) };
  return { kind: "spec", components: schema === undefined ? undefined : await readComponents(schema) };
}

const notFound: Refusal = { code: "not_found", message: "Not found. An old run may have been removed." };

function json(value: object, status = 200): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}
