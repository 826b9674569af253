/** What a character of JSON costs while it streams: whether that stays flat as documents grow, and for the peers. */
import { blocks, inputs, tokens, type InputName } from "./inputs.js";
import { drain, keep } from "./sink.js";
import type { Case, Pass, Results, Suite } from "./suite.js";
import { nanoseconds, table, withRange } from "./table.js";

const KiB = 1024;
const sizes = [8, 32, 128, 512, 2048];
const cuts = {
  "1-8": (text: string) => tokens(text),
  "1 KB": (text: string) => blocks(text, KiB),
} satisfies Record<string, (text: string) => string[]>;
type Cut = keyof typeof cuts;
const cutNames = Object.keys(cuts) as Cut[];
const inputNames = Object.keys(inputs) as InputName[];

/** Given the chunks of a document, a pass that reads them. */
type Load = () => Promise<(chunks: readonly string[]) => Promise<void> | void>;

const subjects = {
  /** The synchronous machine, its patches taken after each chunk. */
  "write + takePatch": async () => {
    const { JsonParser } = await import("millrace");
    return (chunks) => {
      const parser = new JsonParser();
      for (const chunk of chunks) {
        parser.write(chunk);
        keep(parser.takePatch());
      }
      parser.end();
    };
  },
  "write + takePatch, append": async () => {
    const { JsonParser } = await import("millrace");
    return (chunks) => {
      const parser = new JsonParser({ append: true });
      for (const chunk of chunks) {
        parser.write(chunk);
        keep(parser.takePatch());
      }
      parser.end();
    };
  },
  /** What an application writes. */
  "for await, patches": async () => {
    const { jsonParser } = await import("millrace");
    return (chunks) => drain(jsonParser().patches(arriving(chunks)));
  },
  jsonriver: async () => {
    const { parse } = await import("jsonriver");
    return (chunks) => drain(parse(arriving(chunks)));
  },
  /** The whole text so far, again after each chunk: what most do. */
  "partial-json": async () => {
    const { parse } = await import("partial-json");
    return (chunks) => {
      let text = "";
      for (const chunk of chunks) keep(parse((text += chunk)));
    };
  },
  /** Once, when all is there: the floor. */
  "JSON.parse": () =>
    Promise.resolve((chunks) => {
      keep(JSON.parse(chunks.join("")));
    }),
} satisfies Record<string, Load>;
type SubjectName = keyof typeof subjects;

const scaled: readonly SubjectName[] = ["write + takePatch", "for await, patches", "jsonriver"];
const compared: readonly SubjectName[] = [...scaled, "write + takePatch, append", "JSON.parse"];
const comparedSize = 128;
/** It is quadratic: larger documents take it minutes. */
const partialJsonSizes = [8, 32];

export const json: Suite = {
  name: "json",
  cases: unique([
    ...sizes.flatMap((size) =>
      cutNames.flatMap((cut) => scaled.map((it) => caseOf(it, "contacts", size, cut))),
    ),
    ...sizes.map((size) => caseOf("JSON.parse", "contacts", size, "1 KB")),
    ...inputNames.flatMap((input) => compared.map((it) => caseOf(it, input, comparedSize, "1-8"))),
    ...partialJsonSizes.map((size) => caseOf("partial-json", "contacts", size, "1-8")),
  ]),
  smoke: (id) => / (8|32) KB,/.test(id) || id.startsWith("write + takePatch"),
  report,
};

function caseOf(subject: SubjectName, input: InputName, size: number, cut: Cut): Case {
  return {
    id: idOf(subject, input, size, cut),
    load: async (): Promise<Pass> => {
      const text = inputs[input](size * KiB);
      const chunks = cuts[cut](text);
      const load: Load = subjects[subject];
      const read = await load();
      return async () => {
        await read(chunks);
        return text.length;
      };
    },
  };
}

function idOf(subject: SubjectName, input: InputName, size: number, cut: Cut): string {
  return `${subject}, ${input}, ${size} KB, ${cut}`;
}

function report(results: Results): string {
  const median = (it: SubjectName, input: InputName, size: number, cut: Cut): number | undefined =>
    results.get(idOf(it, input, size, cut))?.median;

  const flatness = (it: SubjectName, cut: Cut): string => {
    const all = sizes.map((size) => median(it, "contacts", size, cut)).filter((value) => value !== undefined);
    return all.length < sizes.length ? "–" : (Math.max(...all) / Math.min(...all)).toFixed(2);
  };
  const columns = scaled.flatMap((it) => cutNames.map((cut) => ({ it, cut })));
  const scaling = table(
    ["contacts", ...columns.map(({ it, cut }) => `${it}, ${cut}`), "JSON.parse"],
    [
      ...sizes.map((size) => [
        `${size} KB`,
        ...columns.map(({ it, cut }) => withRange(results.get(idOf(it, "contacts", size, cut)))),
        withRange(results.get(idOf("JSON.parse", "contacts", size, "1 KB"))),
      ]),
      ["largest / smallest", ...columns.map(({ it, cut }) => flatness(it, cut)), ""],
    ],
  );
  const comparison = table(
    [`${comparedSize} KB, 1-8`, ...compared],
    inputNames.map((input) => [
      input,
      ...compared.map((it) => nanoseconds(median(it, input, comparedSize, "1-8"))),
    ]),
  );
  const again = table(
    ["contacts, 1-8", "partial-json after each chunk", "write + takePatch"],
    partialJsonSizes.map((size) => [
      `${size} KB`,
      nanoseconds(median("partial-json", "contacts", size, "1-8")),
      nanoseconds(median("write + takePatch", "contacts", size, "1-8")),
    ]),
  );
  return `Nanoseconds per character. Chunks have 1 to 8 characters, as tokens do, or 1 KB, as network reads do.

## Does the cost stay flat as the document grows?

${scaling}

The goal: flat within 2.

## Other documents

${comparison}

## Parsing all of it again after each chunk

${again}`;
}

function unique(cases: readonly Case[]): Case[] {
  return [...new Map(cases.map((it) => [it.id, it])).values()];
}

/** The chunks, there already. */
function arriving(chunks: readonly string[]): AsyncIterableIterator<string, undefined, undefined> {
  let at = 0;
  return {
    next: () =>
      Promise.resolve(
        at < chunks.length
          ? { done: false, value: chunks[at++] as string }
          : { done: true, value: undefined },
      ),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
