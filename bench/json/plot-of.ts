import { svgOf, type Series, type Tick } from "../plot.js";
import type { Results } from "../suite.js";
import { timeOf } from "./cases.js";
import { growing, growingCase } from "./scaling.js";
import type { SubjectName } from "./subjects.js";

/** What the readers are called to somebody who has not read the tables. */
const names: Readonly<Partial<Record<SubjectName, string>>> = {
  patches: "millrace, patches",
  "write + takePatch": "millrace, no async",
  "for await": "for await, only counting",
  "JSON.parse": "JSON.parse, at the end",
  JsonOutputParser: "LangChain.js, diff",
  "AI SDK": "AI SDK, deep-equal loop",
};
const ours: readonly SubjectName[] = ["patches", "write + takePatch"];

/** Time against size: contacts, in chunks of 4 characters. */
export function plotOf(results: Results): string {
  const series: Series[] = [...growing].map(([subject, sizes]) => ({
    name: names[subject] ?? subject,
    strong: ours.includes(subject),
    points: sizes.flatMap((size) => {
      const time = timeOf(growingCase(subject, size), results);
      return time === undefined ? [] : [{ x: size, y: time.median }];
    }),
  }));
  const drawn = series.filter(({ points }) => points.length > 0);
  return svgOf({
    title: "Reading JSON that arrives 4 characters at a time",
    x: { label: "size of the document (1 KB is 1,024 characters)", ticks: sizeTicks },
    y: {
      label: "time for the whole document",
      ticks: timeTicks(drawn.flatMap(({ points }) => points.map(({ y }) => y))),
    },
    series: drawn,
  });
}

const sizeTicks: readonly Tick[] = [8, 16, 32, 64, 128, 256, 512, 1024, 2048].map((at) => ({
  at,
  label: at < 1024 ? `${at} KB` : `${at / 1024} MB`,
}));

/** The powers of ten around all of them. */
function timeTicks(times: readonly number[]): Tick[] {
  const low = Math.floor(Math.log10(Math.min(1, ...times)));
  const high = Math.ceil(Math.log10(Math.max(10, ...times)));
  return Array.from({ length: high - low + 1 }, (_, i) => {
    const at = 10 ** (low + i);
    return {
      at,
      label: low + i < 0 ? `${at.toFixed(-(low + i))} ms` : low + i < 3 ? `${at} ms` : `${at / 1000} s`,
    };
  });
}
