import { pick, type Random, randomOf } from "../test/support/random.js";
import { type Family, familyOf } from "../test/support/cost/families.js";
import { costReaders, type CostReader } from "../test/support/cost/readers.js";
import { languages } from "../test/support/cost/languages.js";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";

setFlagsFromString("--expose-gc");
/** Prints the text that is being read, if it takes for ever, and ends the process. */
const watch = new Worker(
  `const { parentPort } = require("node:worker_threads");
  let timer;
  parentPort.on("message", (text) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      require("node:fs").writeSync(1, "Takes more than a minute: " + text + "\\n");
      process.kill(process.pid, "SIGKILL"); // tsx catches the others, and waits for the text to be read
    }, 60_000);
  });`,
  { eval: true },
);
watch.unref();

const collectGarbage = runInNewContext("gc") as () => void;

/** The shortest length, and those that it is compared with. */
const short = 16_000;
/** More than linear by this factor is a failure. */
const mostGrowth = 1.5;
/** A character may cost so many times as much as one of a usual text of the reader. */
const mostOfUsual = 20;
/** Below this, a time says nothing. */
const leastMilliseconds = 6;
/** Bytes that may be held for each character, and by any open stream besides. */
const mostBytes = 1_000;
const mostBytesOfStream = 300_000;

/** The cost of a character, by reader. */
type Worst = Map<string, { readonly cost: number; readonly it: Case }>;

/** A text of any length, and how it is cut. */
interface Case {
  readonly name: string;
  readonly reader: CostReader;
  readonly family: Family;
  /** `Infinity`: in one piece. */
  readonly size: number;
}

/**
 * `npm run fuzz -- --cost` reads texts of many families with every reader, at three lengths, and measures processor
 * time and the memory that is held. It prints each family that costs more than linear time or memory, or much more than
 * a usual text, with the fewest parts that show it. The same seed gives the same texts.
 */
export async function fuzzCosts(seed: number, end: number, only: string | undefined): Promise<boolean> {
  const random = randomOf(seed);
  const names = Object.keys(costReaders).filter((name) => only === undefined || name.includes(only));
  /** By the reader and the size of the pieces. */
  const usual = new Map<string, number>();
  const usualOf = async ({ name, size }: Pick<Case, "name" | "size">): Promise<number> => {
    const key = `${name} ${size}`;
    if (!usual.has(key)) {
      const it = usualCase(name, size);
      await timeOf(it, short); // compiles the code
      usual.set(key, (await leastTime(it, 4 * short)) / (4 * short));
    }
    return usual.get(key) as number;
  };
  const slowest: Worst = new Map();
  const largest: Worst = new Map();
  let tried = 0;
  let failed = false;
  const fail = async (it: Case, problem: string, again: (it: Case) => Promise<string | undefined>) => {
    failed = true;
    const least = await withFewestParts(it, again);
    console.log(
      `${it.name}, ${it.family.name}, ${pieces(it)}: ${problem}\n  ${JSON.stringify(least.family.parts)}`,
    );
    for (const times of [1, 2, 4]) {
      const length = times * short;
      const bytes = (await bytesOf(least, length)).toLocaleString("en");
      console.log(
        `  ${length} characters: ${(await leastTime(least, length)).toFixed(1)} ms, ${bytes} bytes`,
      );
    }
  };
  for (; Date.now() < end; tried++) {
    const it = caseOf(random, pick(random, names));
    const ordinary = await usualOf(it);
    const slow = await problemOf(it, ordinary, slowest);
    if (slow !== undefined) await fail(it, slow, (shorter) => problemOf(shorter, ordinary));
    const large = await memoryProblemOf(it, largest);
    if (large !== undefined) await fail(it, large, (shorter) => memoryProblemOf(shorter, undefined));
  }
  console.log(`${tried} families. Microseconds for each character of a usual text, and of the worst family:`);
  for (const [name, { cost, it }] of slowest) {
    const figures = [await usualOf(it), cost].map((each) => (each * 1_000).toFixed(2).padStart(6)).join(" ");
    console.log(`  ${name.padEnd(30)} ${figures} ${described(it)}`);
  }
  console.log("Bytes held for each character of the worst family:");
  for (const [name, { cost, it }] of largest)
    console.log(`  ${name.padEnd(30)} ${cost.toFixed(0).padStart(6)} ${described(it)}`);
  return failed;
}

const described = (it: Case): string => `${pieces(it)} ${JSON.stringify(it.family.parts).slice(0, 100)}`;

function caseOf(random: Random, name: string): Case {
  const reader = costReaders[name] as CostReader;
  const family = familyOf(random, pick(random, reader.languages));
  return { name, reader, family, size: pick(random, [Infinity, Infinity, 1, 7, 64, 1_024]) };
}

/** An ordinary text of the first language of a reader. */
function usualCase(name: string, size: number): Case {
  const reader = costReaders[name] as CostReader;
  const { usual } = languages[reader.languages[0] as keyof typeof languages];
  const write: Family["write"] = ([head = "", text = ""], length) =>
    head + text.repeat(Math.ceil(length / text.length));
  return { name, reader, family: { name: "usual", parts: usual, write }, size };
}

const pieces = ({ size }: Case): string => (size === Infinity ? "in one piece" : `in pieces of ${size}`);

function chunksOf({ family, size }: Case, length: number): string[] {
  const text = family.write(family.parts, length);
  if (size === Infinity) return [text];
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}

async function read(it: Case, chunks: readonly string[]): Promise<unknown> {
  try {
    return await it.reader.read(chunks);
  } catch (error) {
    return error; // Most of these texts are refused.
  }
}

/** Milliseconds of processor time. */
async function timeOf(it: Case, length: number): Promise<number> {
  const chunks = chunksOf(it, length);
  watch.postMessage(
    `${length} characters, ${it.name}, ${it.family.name}, ${pieces(it)}: ${JSON.stringify(it.family.parts)}`,
  );
  const before = process.cpuUsage();
  await read(it, chunks);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function leastTime(it: Case, length: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 3; i++) least = Math.min(least, await timeOf(it, length));
  return least;
}

/** Bytes that are held: while the reader waits for more text, or afterwards by what it has returned. */
async function bytesOf(it: Case, length: number): Promise<number> {
  const chunks = chunksOf(it, length);
  const before = heldBytes();
  let bytes = 0;
  const measure = (): void => {
    bytes = Math.max(bytes, heldBytes() - before);
  };
  const items = chunks.slice();
  const withMeasure = Object.assign(items, {
    *[Symbol.iterator]() {
      yield* chunks;
      measure();
    },
  });
  const held = await read(it, withMeasure);
  measure();
  return held === items ? 0 : bytes; // What is held must live until here.
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Memory that grows more than the text, or is more than a text of its length may take. */
async function memoryProblemOf(it: Case, most: Worst | undefined): Promise<string | undefined> {
  const [once, four] = [await bytesOf(it, short), await bytesOf(it, 4 * short)];
  const bytes = (four - mostBytesOfStream) / (4 * short);
  note(most, bytes, it);
  if (bytes > mostBytes) return `${bytes.toFixed(0)} bytes are held for each character`;
  // The part that every stream holds is no growth, and a window that fills is none after it is full.
  const grows = four > mostGrowth * 4 * Math.max(once, mostBytesOfStream);
  if (grows && (await goesOn(four, (length) => bytesOf(it, length))))
    return `${(four / once).toFixed(1)} times as many bytes are held for 4 times the text`;
  return undefined;
}

/** Measures again what looks slow: the collector and the compiler take time too. */
async function problemOf(it: Case, usual: number, worst?: Worst): Promise<string | undefined> {
  const first = Math.max(await timeOf(it, short), leastMilliseconds);
  const second = await timeOf(it, 4 * short);
  const allowed = Math.max(usual, leastMilliseconds / (4 * short)) * mostOfUsual;
  const isSlow = second > mostGrowth * 4 * first;
  if (isSlow || second / (4 * short) > allowed || second / (4 * short) > (worst?.get(it.name)?.cost ?? 0)) {
    const [once, four] = [
      Math.max(await leastTime(it, short), leastMilliseconds),
      await leastTime(it, 4 * short),
    ];
    const cost = four / (4 * short);
    note(worst, cost, it);
    if (four > mostGrowth * 4 * once && (await goesOn(four, (length) => timeOf(it, length))))
      return `${(four / once).toFixed(1)} times as long for 4 times the text`;
    if (cost > allowed) return `${(cost / usual).toFixed(0)} times as long as a usual text`;
  }
  return undefined;
}

/** Whether a cost still grows more than longer texts do. A short text has free work, and a budget ends what it pays for. */
async function goesOn(four: number, costOf: (length: number) => Promise<number>): Promise<boolean> {
  const sixteen = await costOf(16 * short);
  return sixteen > mostGrowth * 4 * four && (await costOf(64 * short)) > mostGrowth * 4 * sixteen;
}

function note(worst: Worst | undefined, cost: number, it: Case): void {
  if (cost > (worst?.get(it.name)?.cost ?? 0)) worst?.set(it.name, { cost, it });
}

/** Leaves out parts as long as the problem shows. */
async function withFewestParts(it: Case, problem: (it: Case) => Promise<string | undefined>): Promise<Case> {
  let least = it;
  for (let i = 0; i < least.family.parts.length; i++) {
    const parts = i === 0 ? ["", ...least.family.parts.slice(1)] : least.family.parts.toSpliced(i, 1);
    const shorter = { ...least, family: { ...least.family, parts } };
    if (parts[i] === least.family.parts[i] || (await problem(shorter)) === undefined) continue;
    least = shorter;
    if (i > 0) i--;
  }
  return least;
}
