import {
  followRun,
  type FollowOptions,
  type Get,
  linesOf,
  type WireEvent,
  type WireResult,
} from "./wire-client.js";

/**
 * A client written from docs/protocols/compact-wire.md and wire-protocol.md alone: it imports only the client that was
 * written from the second page. Comments name the sections of the first one.
 */
export function followCompact(get: Get, options: FollowOptions = {}): Promise<WireResult> {
  const form = { accept: "text/event-stream;compact=1, text/event-stream", eventsOf };
  return followRun(get, { ...options, form });
}

/** "Lines". Server-sent events among them are read too, as a server may not know this form. */
async function* eventsOf(response: Response): AsyncGenerator<WireEvent> {
  const patchIn = patchReader();
  let next = "1";
  let name = "";
  let data: string | undefined;
  for await (const line of linesOf(response)) {
    const field = /^(id|event|data)(?:: ?(.*))?$/.exec(line);
    if (/^["[{\-0-9]/.test(line)) {
      yield { name: "", id: next, data: patchIn(line) };
      next = after(next);
    } else if (line === "") {
      if (data !== undefined) {
        yield { name, id: next, data: JSON.parse(data) };
        if (name === "") next = after(next);
      }
      name = "";
      data = undefined;
    } else if (field?.[1] === "id") next = field[2] ?? "";
    else if (field?.[1] === "event") name = field[2] ?? "";
    else if (field?.[1] === "data")
      data = data === undefined ? (field[2] ?? "") : `${data}\n${field[2] ?? ""}`;
  }
}

function after(id: string): string {
  const digits = /^[0-9]*/.exec(id)?.[0] ?? "";
  return String(Number(digits) + 1) + id.slice(digits.length);
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** "Patches": the state of one response. The place is kept as escaped keys. */
function patchReader(): (line: string) => readonly Operation[] {
  let place: string[] = [];
  let sent = 0;
  const paths = new Map<number, string[]>();
  const pointer = (keys: readonly string[]): string => keys.map((key) => `/${key}`).join("");

  /** "The place after an item". */
  const goInto = (keys: readonly string[], value: unknown): void => {
    place = [...keys];
    while (typeof value === "object" && value !== null) {
      const [key, last] = Object.entries(value as Record<string, unknown>).at(-1) ?? ["-1", undefined];
      place.push(escaped(key));
      value = last;
    }
  };

  return (line) => {
    const patch: Operation[] = [];
    const items = JSON.parse(`[${line}]`) as unknown[];
    for (let item = items.shift(); item !== undefined; item = items.shift()) {
      if (item === 0) {
        const operation = items.shift() as Operation;
        const keys = operation.path.split("/").slice(1);
        paths.set(-1 - (sent++ % 64), keys);
        goInto(keys, operation.value);
        patch.push(operation);
      } else if (typeof item === "number") {
        place = item > 0 ? place.slice(0, -item) : (paths.get(item) ?? []);
      } else if (typeof item === "string") patch.push({ op: "append", path: pointer(place), value: item });
      else {
        const [around, last] = [place.slice(0, -1), place.at(-1)];
        const entries = Array.isArray(item)
          ? item.map((value: unknown, index) => [String(Number(last) + 1 + index), value] as const)
          : Object.entries(item as Record<string, unknown>);
        for (const [key, value] of entries) {
          const keys = [...around, escaped(key)];
          patch.push({ op: "add", path: pointer(keys), value });
          goInto(keys, value);
        }
      }
    }
    return patch;
  };
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
