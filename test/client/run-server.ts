import { streamObject } from "millrace";
import { memoryLog, type StreamLog, toEventStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { z } from "zod";

export const recipe = z.object({ title: z.string(), steps: z.array(z.string()) });

/** A server of runs, called as `fetch`. A test writes what the model says. */
export interface RunServer {
  readonly fetch: (url: string | URL, init: RequestInit) => Promise<Response>;
  readonly log: StreamLog;
  /** The requests: `POST 1`, where 1 is the number of the run. */
  readonly requests: string[];
  /** The bodies of the requests that start runs. */
  readonly inputs: unknown[];
  /** Numbers of the runs whose model was closed before its end. */
  readonly left: number[];
  /** Writes a text of the model of a run, 1 by default. */
  readonly write: (text: string, run?: number) => void;
  /** Ends the model's text. */
  readonly end: (run?: number) => void;
}

export function runServer(): RunServer {
  const log = memoryLog();
  const ids: string[] = [];
  const requests: string[] = [];
  const inputs: unknown[] = [];
  const left: number[] = [];
  const models: ScriptedText[] = [];
  /** What the model of a run says. A test may write it before the request has arrived. */
  const modelOf = (run: number): ScriptedText => (models[run] ??= scriptedText(() => void left.push(run)));
  return {
    log,
    requests,
    inputs,
    left,
    async fetch(url, init) {
      const { method, searchParams, headers, body } = read(url, init);
      const id = searchParams.get("run") ?? "";
      if (!ids.includes(id)) ids.push(id);
      const number = ids.indexOf(id) + 1;
      if (method === "DELETE") {
        const stopped = await log.stop(id);
        requests.push(`DELETE ${number}${stopped ? "" : " in vain"}`);
        return Response.json({ stopped });
      }
      requests.push(`${method} ${number}`);
      if (method === "GET") {
        return toEventStream(undefined, { log, id, lastEventId: headers.get("last-event-id") });
      }
      inputs.push(JSON.parse(body as string));
      return streamObject({
        model: scriptedModel(() => modelOf(number).stream),
        schema: recipe,
        prompt: "",
      }).toResponse({
        log,
        id,
      });
    },
    write: (text, run = 1) => {
      modelOf(run).controller.enqueue(text);
    },
    end: (run = 1) => {
      modelOf(run).controller.close();
    },
  };
}

interface ScriptedText {
  readonly stream: ReadableStream<string>;
  readonly controller: ReadableStreamDefaultController<string>;
}

function scriptedText(cancel: () => void): ScriptedText {
  let controller: ReadableStreamDefaultController<string> | undefined;
  const stream = new ReadableStream<string>({ start: (own) => void (controller = own), cancel });
  return { stream, controller: controller as unknown as ReadableStreamDefaultController<string> };
}

function read(url: string | URL, { method = "GET", headers, body }: RequestInit) {
  const { searchParams } = new URL(url, "http://localhost");
  return { method, searchParams, headers: new Headers(headers), body };
}

/** Adds a `sessionStorage` and a page's URL to the globals. Returns a function that removes them. */
export function installPage(): () => void {
  const items = new Map<string, string>();
  const page = { href: "http://localhost/page?tab=1" };
  const globals = {
    sessionStorage: {
      getItem: (name: string) => items.get(name) ?? null,
      setItem: (name: string, value: string) => void items.set(name, value),
      removeItem: (name: string) => void items.delete(name),
    },
    location: page,
    history: {
      state: null,
      replaceState: (_state: unknown, _title: string, url: URL) => (page.href = url.href),
    },
  };
  const before = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>;
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const name of Object.keys(globals)) {
      const own = before[name];
      if (own === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, own);
    }
  };
}
