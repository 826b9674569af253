/** JSON as programs read it: not one document after the other in a quiet process. Chunks of 1 to 8 characters. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { counted, type Figure, timed, type Work } from "../harness/figures.js";
import { cuts, inputs } from "../inputs.js";
import { readers, streams } from "../json/readers.js";
import { settledHeap } from "../../test/stream/support/garbage.js";
import { list } from "../../test/support/random.js";
import { arriving, keep, type Read } from "../reading.js";

/** The readers that are compared. Ours is as `jsonParser()` is by default, with extraction and repair. */
export type Reader = "patches" | "jsonriver";

/** Reads documents in a process that does other things too. Milliseconds per run. */
export type Program = (reader: Reader) => Figure;

export const shapes = ["orders", "contacts", "table", "config"] as const;
export type Shape = (typeof shapes)[number];

/** 64 KB, again and again. */
export function steady(shape: Shape): Program {
  return program(`64 KB of ${shape}`, (read) => {
    const chunks = chunksOf(shape, 64);
    return { run: () => read(chunks) };
  });
}

/** The same with a garbage collection before each document, as in a server that was idle. */
export function afterCollection(shape: Shape): Program {
  return program(`64 KB of ${shape} after a collection`, (read) => {
    const chunks = chunksOf(shape, 64);
    return { prepare: () => globalThis.gc?.(), run: () => read(chunks) };
  });
}

/** A process that keeps the last thousand values, among a hundred thousand other objects. */
export const longLived: Program = program("64 KB of orders, kept", (read) => {
  const others = list(100_000, (id) => ({ id, tags: [`tag ${id}`, "b"], at: { x: id, y: -id } }));
  const kept: unknown[] = [];
  const chunks = chunksOf("orders", 64);
  let runs = 0;
  return {
    run: async () => {
      kept[runs++ % 1_000] = await read(chunks);
      keep({ kept, others });
    },
  };
});

export const fourShapes: Program = program("four shapes", (read) => {
  const documents = shapes.map((shape) => chunksOf(shape, 256));
  return { run: () => readAll(read, documents) };
});

/** Each stream reads a document of its own of 8 KB. The chunks of all arrive in turns. */
export function manyStreams(of: readonly Shape[]): Program {
  return program(`200 streams of ${of.join(", ")}`, (read) => {
    const documents = list(200, (i) => chunksOf(of[i % of.length] as Shape, 8, i + 1));
    return { run: () => Promise.all(documents.map(read)) };
  });
}

/** Two threads, each with 16 documents of 64 KB. */
export const threads: Program = (reader) =>
  inMilliseconds(
    timed(`two threads, ${reader}`, async () => {
      const pool = list(2, () => new Worker(new URL("thread.js", import.meta.url), { workerData: reader }));
      await Promise.all(pool.map((it) => once(it, "message")));
      const readOnce = (thread: Worker): Promise<unknown> => {
        thread.postMessage("read");
        return once(thread, "message");
      };
      return { units: oneRun, run: () => Promise.all(pool.map(readOnce)) };
    }),
  );

/** Returns the work of a thread for one message. */
export async function threadWork(reader: Reader): Promise<() => Promise<void>> {
  const read = await readers[reader]();
  const documents = list(16, (i) => chunksOf(shapes[i % 4] as Shape, 64, i + 1));
  return () => readAll(read, documents);
}

/** KB per stream that has shown so many values, with the value so far. */
export function sizeOfStream(reader: Reader, values: number): Figure {
  return counted(`KB of an open stream after ${values}, ${reader}`, async () => {
    const open = await streams[reader]();
    const chunks = chunksOf("orders", 8);
    const sources = (count: number): AsyncIterable<string>[] => list(count, () => arriving(chunks));
    const begin = async (from: readonly AsyncIterable<string>[]): Promise<unknown> => {
      const opened = from.map((source) => open(source)[Symbol.asyncIterator]());
      for (const it of opened) for (let i = 0; i < values; i++) await it.next();
      return opened;
    };
    const first = await begin(sources(200)); // loads and compiles the code
    const measured = sources(2_000); // 330 bytes each, which are not counted
    const before = await settledHeap();
    keep([first, measured, await begin(measured)]);
    return ((await settledHeap()) - before) / 2_000 / 1024;
  });
}

/** A run counts as a million units, so its figure is in milliseconds. */
const oneRun = 1e6;

function inMilliseconds(figure: Figure): Figure {
  return { ...figure, unit: () => "ms" };
}

function program(name: string, load: (read: Read) => Omit<Work, "units">): Program {
  return (reader) =>
    inMilliseconds(
      timed(`${name}, ${reader}`, async () => ({ units: oneRun, ...load(await readers[reader]()) })),
    );
}

async function readAll(read: Read, documents: readonly (readonly string[])[]): Promise<void> {
  for (const chunks of documents) await read(chunks);
}

function chunksOf(shape: Shape, size: number, seed?: number): readonly string[] {
  return cuts["1-8"](inputs[shape](size * 1024, seed));
}
