import { memoryLog } from "../../../serve/log/memory-log.js";
import { readJson } from "../../../serve/http/request-body.js";
import { RequestError } from "../../../serve/http/request-error.js";
import { checkOrigin } from "../../../serve/http/request-origin.js";
import { from } from "../../../stream/sources/from.js";
import { filter } from "../../../stream/operators/filter.js";
import { map } from "../../../stream/operators/map.js";
import { pipe } from "../../../stream/pipe.js";
import type { Clock } from "../../../stream/time/clock.js";
import { textOf } from "../../../messages/blocks/read.js";
import { ask } from "../../commands/ask.js";
import type { Io } from "../../terminal/io.js";
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
  readonly env: Io["env"];
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
  private readonly options: Required<PlaygroundOptions>;
  private readonly context: RunContext;
  /** Runs by id, the oldest first. */
  private readonly runs = new Map<string, PlaygroundRun>();

  constructor(options: PlaygroundOptions) {
    const { clock, maxRuns = 16, maxBody = 8_000_000 } = options;
    this.options = { ...options, maxRuns, maxBody };
    // Each run has two logs. Twice as many again, because a stopped run takes a moment to end.
    this.context = {
      log: memoryLog({ maxRuns: 4 * maxRuns }),
      clock,
      onError: options.onError,
    };
  }

  async handle(request: Request): Promise<Response> {
    try {
      this.checkHost(request);
      checkOrigin(request, []);
      return (await this.answer(request)) ?? json(notFound, 404);
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

  /** Rejects other host names. This prevents DNS rebinding, where a foreign name resolves to this machine. */
  private checkHost({ url }: Request): void {
    if (this.options.hosts.has(new URL(url).host)) return;
    throw new RequestError("forbidden_origin", "The playground accepts requests only from its own page.");
  }

  private async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const [, id = "", part = ""] = /^\/api\/runs\/([\w-]+)\/(document|trace|control)$/.exec(pathname) ?? [];
    const run = this.runs.get(id);
    if (request.method === "GET") {
      if (pathname === "/api/setup") return json(await this.setup());
      if (run !== undefined && (part === "document" || part === "trace"))
        return run.events(part, request.headers.get("last-event-id"));
      return this.options.files(pathname);
    }
    if (request.method === "POST") {
      const body = await readJson(request, this.options.maxBody);
      if (pathname === "/api/runs") return json(await this.begin(await readRunRequest(body)), 201);
      if (run !== undefined && part === "control") {
        await run.control(await readControl(body));
        return json({});
      }
    }
    return undefined;
  }

  private async setup(): Promise<PlaygroundSetup> {
    return {
      recordings: [...this.options.recordings.keys()],
      providers: await providers(this.options.env),
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
    if (this.runs.size > this.options.maxRuns && oldest !== undefined) {
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
        const model = await modelFor(source.model, this.options.env);
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
