/**
 * A client written from docs/protocols/wire-protocol.md alone, as for another language: it imports nothing. Comments name the
 * sections of that page.
 */

/** Sends the request of section "Request". */
export type Get = (headers: Readonly<Record<string, string>>) => Promise<Response>;

/** The result of a client. */
export interface WireResult {
  readonly value: unknown;
  readonly end: WireEnd;
  /** The ids of all applied patches, in order. */
  readonly ids: readonly string[];
  /** The number of requests. */
  readonly requests: number;
}

export interface FollowOptions {
  /** The number of retries without an event. */
  readonly retries?: number;
  /** The id to resume from, with the value at that event. */
  readonly after?: string;
  readonly value?: unknown;
  /** Called after each applied patch. */
  readonly onPatch?: () => void;
  /** What the client accepts, and how it reads that. */
  readonly form?: WireForm;
}

export interface WireForm {
  readonly accept: string;
  readonly eventsOf: (response: Response) => AsyncGenerator<WireEvent>;
}

export type WireEnd =
  | { readonly kind: "done"; readonly reason: string }
  | { readonly kind: "error"; readonly code: string; readonly message: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "cut" };

export async function followRun(
  get: Get,
  { retries = 5, after, value, onPatch, form = serverSentEvents }: FollowOptions = {},
): Promise<WireResult> {
  const state: Applied = { value, ids: [] };
  let last = after;
  let requests = 0;
  for (let attempt = 0; attempt <= retries; attempt++) {
    requests++;
    const response = await get({
      accept: form.accept,
      ...(last !== undefined && { "last-event-id": last }),
    }).catch(() => undefined);
    if (response === undefined) continue; // the connection was lost
    const result = (end: WireEnd): WireResult => ({ ...state, end, requests });
    if (!response.ok) {
      if ([408, 429].includes(response.status) || response.status >= 500) continue;
      return result({ kind: "status", status: response.status });
    }
    if (response.headers.get("content-type")?.split(";")[0]?.trim() !== "text/event-stream") {
      throw new Error("The response is not an event stream.");
    }
    for await (const event of form.eventsOf(response)) {
      if (event.name === "") {
        state.value = applied(state.value, event.data);
        state.ids.push(event.id);
        last = event.id;
        onPatch?.();
      } else if (event.name === "done") {
        return result({ kind: "done", reason: memberOf(event.data, "reason") });
      } else if (event.name === "error") {
        const [code, message] = [memberOf(event.data, "code"), memberOf(event.data, "message")];
        return result({ kind: "error", code, message });
      } else continue;
      attempt = -1; // an event resets the count
    }
  }
  return { ...state, end: { kind: "cut" }, requests };
}

interface Applied {
  value: unknown;
  readonly ids: string[];
}

export interface WireEvent {
  readonly name: string;
  readonly id: string;
  readonly data: unknown;
}

const serverSentEvents: WireForm = { accept: "text/event-stream", eventsOf };

/** "Framing". A lost connection is handled like a closed one. */
async function* eventsOf(response: Response): AsyncGenerator<WireEvent> {
  let fields = new Map<string, string>();
  for await (const line of linesOf(response)) {
    if (line === "") {
      const data = fields.get("data");
      if (data !== undefined) {
        yield { name: fields.get("event") ?? "", id: fields.get("id") ?? "", data: JSON.parse(data) };
      }
      fields = new Map();
    } else if (!line.startsWith(":")) {
      const colon = line.includes(":") ? line.indexOf(":") : line.length;
      const name = line.slice(0, colon);
      const value = line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
      const before = fields.get(name);
      fields.set(name, name === "data" && before !== undefined ? `${before}\n${value}` : value);
    }
  }
}

/** The complete lines. They end with LF, CR or CR LF, which reads may split. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  let open = "";
  let afterReturn = false;
  for await (const text of textsOf(response)) {
    if (text === "") continue; // only part of a character has arrived
    const lines = (open + (afterReturn && text.startsWith("\n") ? text.slice(1) : text)).split(/\r\n|\n|\r/);
    afterReturn = text.endsWith("\r");
    open = lines.pop() ?? "";
    yield* lines;
  }
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (read.done || read.value === undefined) return;
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    void reader.cancel().catch(() => undefined); // like a client that leaves
  }
}

/** "Operations": a patch is applied completely or not at all, so it is tried on a copy. */
export function applied(value: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw new Error("A patch is an array.");
  const box = { root: structuredClone(value) };
  for (const operation of patch as readonly Operation[]) apply(box, operation);
  return box.root;
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

type Container = Record<string, unknown> | unknown[];

function apply(box: { root: unknown }, { op, path, value }: Operation): void {
  const keys = path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keys.length === 0) {
    if (op === "replace" || op === "add") box.root = value;
    else if (op === "append" && typeof box.root === "string") box.root += value as string;
    else throw new Error(`${op} does not fit the root.`);
    return;
  }
  let parent = box.root as Container;
  for (const key of keys.slice(0, -1)) parent = memberAt(parent, key) as Container;
  const key = keys.at(-1) as string;
  if (op === "add") {
    if (!Array.isArray(parent)) setMember(parent, key, value);
    else parent.splice(key === "-" ? parent.length : indexOf(key, parent.length), 0, value);
  } else if (op === "replace") {
    memberAt(parent, key);
    setMember(parent, key, value);
  } else if (op === "append") {
    const before = memberAt(parent, key);
    if (typeof before !== "string") throw new Error(`There is no string at ${path}.`);
    setMember(parent, key, before + String(value));
  } else throw new Error(`${op} is not known.`);
}

function memberAt(parent: Container, key: string): unknown {
  if (Array.isArray(parent)) return parent[indexOf(key, parent.length - 1)];
  if (typeof parent !== "object" || !Object.hasOwn(parent, key)) {
    throw new Error(`There is nothing at ${key}.`);
  }
  return parent[key];
}

function indexOf(key: string, greatest: number): number {
  if (!/^\d+$/.test(key) || Number(key) > greatest) throw new Error(`${key} is not an index of the array.`);
  return Number(key);
}

/** Defines a member without an assignment, because `__proto__` is an ordinary member. */
function setMember(parent: Container, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

function memberOf(data: unknown, key: string): string {
  return String((data as Readonly<Record<string, unknown>>)[key]);
}
