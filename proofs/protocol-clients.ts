import { setImmediate } from "node:timers/promises";
import { Catalog, MessageProcessor } from "@a2ui/web_core/v0_9";
import { HttpAgent } from "@ag-ui/client";
import { createSpecStreamCompiler } from "@json-render/core";
import { AssistantMessageAccumulator, AssistantTransportDecoder } from "assistant-stream";
import { int, list, type Random } from "../test/support/random.js";
import { jsonParser, pipe } from "../src/index.js";
import type { AnyPatchOperation } from "../src/json/index.js";
import { toAgUiActivity } from "../src/serve/index.js";
import { fromA2ui, fromSpecStream, toA2ui, toAssistantTransport, toSpecStream } from "../src/ui/index.js";

/** One way to bring a model's text to the published client of a protocol. */
export interface Route {
  /** What the server sends, while a model writes. */
  readonly send: (model: AsyncIterable<string>) => AsyncIterable<string>;
  /** Opens a client. It tells which of the components it shows after each part. */
  readonly open: () => (part: string) => readonly number[] | Promise<readonly number[]>;
}

export interface Protocol {
  readonly name: string;
  /** The model's text, and where each component begins in it. */
  readonly text: string;
  readonly starts: readonly number[];
  /** The protocol's own: the model's text goes to the client as it is. */
  readonly own: Route;
  readonly ours: Route;
}

type Patches = AsyncIterable<readonly AnyPatchOperation[]>;
/** Patches on their way, as they are or joined. */
export type Between = (patches: Patches) => Patches;

export function protocolsFor(random: Random, between: Between): readonly Protocol[] {
  const props = list(10, (i) => ({
    text: `Step ${i}. ${"Boil the water, then wait. ".repeat(int(random, 1, 6))}`,
    numbers: list(27, () => int(random, 0, 999)),
  }));
  return [
    jsonRender(props, between),
    a2ui(props, between),
    assistantUi(props, between),
    agUi(props, between),
  ];
}

type Props = readonly { readonly text: string; readonly numbers: readonly number[] }[];

function linesOf(first: readonly object[], others: readonly object[]): Pick<Protocol, "text" | "starts"> {
  let text = first.map((line) => `${JSON.stringify(line)}\n`).join("");
  const starts = others.map((line) => {
    const start = text.length;
    text += `${JSON.stringify(line)}\n`;
    return start;
  });
  return { text, starts };
}

function jsonRender(all: Props, between: Between): Protocol {
  const lines = all.map((props, i) => ({
    op: "add",
    path: `/elements/e${i}`,
    value: { type: "Text", props, children: [] },
  }));
  const open = (): ((part: string) => readonly number[]) => {
    const compiler = createSpecStreamCompiler();
    return (part) => {
      const { result } = compiler.push(part);
      return numbersIn((result as { elements?: object }).elements);
    };
  };
  const parser = fromSpecStream({ append: true });
  return {
    ...{ name: "json-render", ...linesOf([], lines) },
    own: { send: (model) => model, open },
    ours: { send: (model) => pipe(model, parser.patches, between, toSpecStream()), open },
  };
}

function a2ui(all: Props, between: Between): Protocol {
  const version = "v0.9";
  const create = { version, createSurface: { surfaceId: "s", catalogId: "c" } };
  const messages = all.map(({ text, numbers }, i) => ({
    version,
    updateComponents: { surfaceId: "s", components: [{ id: `e${i}`, component: "Text", text, numbers }] },
  }));
  /** The client takes whole messages. */
  const open = (): ((part: string) => readonly number[]) => {
    const processor = new MessageProcessor([new Catalog("c", [])]);
    let rest = "";
    return (part) => {
      const parts = (rest + part).split("\n");
      rest = parts.pop() ?? "";
      processor.processMessages(parts.map((line) => JSON.parse(line) as never));
      const shown = processor.model.getSurface("s")?.componentsModel.entries ?? [];
      return numbersIn(Object.fromEntries(shown));
    };
  };
  const schema = {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string" }, numbers: { type: "array", items: { type: "number" } } },
  };
  const catalogue = { components: { Text: schema } };
  const ours: Route["send"] = (model) =>
    asLines(pipe(model, fromA2ui({ catalogue, append: true }).patches, between, toA2ui({ catalogue })));
  return {
    ...{ name: "A2UI", ...linesOf([create], messages) },
    own: { send: (model) => model, open },
    ours: { send: ours, open },
  };
}

/** A document that a model writes as the arguments of a tool, as these two protocols have no text for interfaces. */
function documentOf(all: Props): Pick<Protocol, "text" | "starts"> {
  const elements = Object.fromEntries(all.map((props, i) => [`e${i}`, { type: "Text", props }]));
  const text = JSON.stringify({ elements });
  return { text, starts: all.map((_, i) => text.indexOf(`"e${i}":`)) };
}

const parser = jsonParser(undefined, { append: true });

function assistantUi(all: Props, between: Between): Protocol {
  const open = (): ((part: string) => Promise<readonly number[]>) => {
    let shown: object | undefined;
    const write = client((body) => {
      const messages = body
        .pipeThrough(new AssistantTransportDecoder())
        .pipeThrough(new AssistantMessageAccumulator({ throttle: false }));
      return readAll(
        messages as unknown as ReadableStream<AssistantShown>,
        ({ parts, metadata }: AssistantShown) => {
          const { elements } = parts[0]?.args ?? metadata.unstable_state ?? {};
          shown = elements;
        },
      );
    });
    return async (part) => {
      await write(part);
      return numbersIn(shown);
    };
  };
  return {
    ...{ name: "assistant-ui", ...documentOf(all) },
    own: {
      open,
      async *send(model) {
        const part = { type: "tool-call", toolCallId: "1", toolName: "show" };
        yield event({ path: [], type: "part-start", part });
        for await (const textDelta of model) yield event({ path: [0], type: "text-delta", textDelta });
      },
    },
    ours: {
      open,
      async *send(model) {
        const { body } = toAssistantTransport(between(pipe(model, parser.patches)));
        const decoder = new TextDecoder();
        for await (const bytes of body as unknown as AsyncIterable<Uint8Array>)
          yield decoder.decode(bytes, { stream: true });
      },
    },
  };
}

interface AssistantShown {
  readonly parts: readonly { readonly args?: { readonly elements?: object } }[];
  readonly metadata: { readonly unstable_state?: { readonly elements?: object } };
}

function agUi(all: Props, between: Between): Protocol {
  const run = { threadId: "t", runId: "r" };
  const open = (): ((part: string) => Promise<readonly number[]>) => {
    let shown: { elements?: object } | undefined;
    const write = client(async (body) => {
      const headers = { "content-type": "text/event-stream" };
      const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { headers }));
      const agent = new HttpAgent({ url: "http://localhost", threadId: "t", fetch });
      await agent.runAgent(
        { runId: "r" },
        {
          // Its partial arguments are always {} in Node (1.0.0), so the page has those of the whole call.
          onToolCallEndEvent({ toolCallArgs }) {
            shown = toolCallArgs;
          },
          onMessagesChanged({ messages }) {
            shown = (messages.find(({ role }) => role === "activity")?.content as object) ?? shown;
          },
        },
      );
    });
    return async (part) => {
      await write(part);
      return numbersIn(shown?.elements);
    };
  };
  return {
    ...{ name: "AG-UI", ...documentOf(all) },
    own: {
      open,
      async *send(model) {
        const toolCallId = "1";
        yield event({ type: "RUN_STARTED", ...run });
        yield event({ type: "TOOL_CALL_START", toolCallId, toolCallName: "show" });
        for await (const delta of model) yield event({ type: "TOOL_CALL_ARGS", toolCallId, delta });
        yield event({ type: "TOOL_CALL_END", toolCallId });
      },
    },
    ours: {
      open,
      async *send(model) {
        yield event({ type: "RUN_STARTED", ...run });
        const write = toAgUiActivity({ messageId: "1", activityType: "ui" });
        for await (const each of pipe(model, parser.patches, between, write)) yield event(each);
      },
    },
  };
}

/** Opens a client on a body, and writes to it. After each part, the client has the time to show it. */
function client(
  read: (body: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<void>,
): (part: string) => Promise<void> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  read(readable).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
  return async (part) => {
    await writer.write(new TextEncoder().encode(part));
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  };
}

async function readAll<T>(stream: ReadableStream<T>, show: (value: T) => void): Promise<void> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) show(next.value);
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

async function* asLines(messages: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const message of messages) yield `${JSON.stringify(message)}\n`;
}

/** The numbers of the components in an object by key. */
function numbersIn(elements: object | undefined): number[] {
  return Object.keys(elements ?? {}).map((key) => Number(key.slice(1)));
}
