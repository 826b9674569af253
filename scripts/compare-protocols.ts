/** `npm run compare:protocols` counts the elements of 1,000 mutated SpecStreams that millrace and json-render read. */
import { isDeepStrictEqual } from "node:util";
import { createSpecStreamCompiler } from "@json-render/core";
import { int, list, pick, type Random, randomOf } from "../bench/random.js";
import { table } from "../bench/report.js";
import { from, type JsonValue, pipe } from "../src/index.js";
import { fromSpecStream } from "../src/ui/index.js";

const random = randomOf(7);

interface Count {
  right: number;
  wrong: number;
  lost: number;
}

/** One mistake, as a model makes it or at a random character. */
function mutated(line: string, by: Random): string {
  const at = int(by, 1, line.length - 2);
  switch (int(by, 0, 6)) {
    case 0:
      return line.slice(0, at) + line.slice(at + 1);
    case 1:
      return line.slice(0, at) + pick(by, '{}[]",:\\') + line.slice(at);
    case 2:
      return line.slice(0, at) + pick(by, 'x"}],') + line.slice(at + 1);
    case 3:
      return line.slice(0, -1);
    case 4:
      return line.replaceAll('"', "'").replaceAll("\\'", '\\"');
    case 5:
      return line.replace(',"children"', ',,"children"').replace(/\}$/, ",}");
    default:
      return line.replace('{"op"', "{op").replace('"value"', "value");
  }
}

function count(spec: unknown, key: string, value: JsonValue, counts: Count): void {
  const { elements } = Object(spec) as { readonly elements?: Readonly<Record<string, unknown>> };
  const found = elements?.[key];
  if (found === undefined) counts.lost++;
  else if (isDeepStrictEqual(found, value)) counts.right++;
  else counts.wrong++;
}

const ours: Count = { right: 0, wrong: 0, lost: 0 };
const theirs: Count = { right: 0, wrong: 0, lost: 0 };
let [changed, reported] = [0, 0];
for (let stream = 0; stream < 1_000; stream++) {
  const elements = list(10, (i) => {
    const props = {
      text: `Step ${i}: "boil" ${int(random, 1, 99)} it`,
      size: int(random, 1, 9),
      tags: ["a", "b"],
    };
    const value: JsonValue = { type: "Text", props, children: [] };
    return [`e${i}`, value] as const;
  });
  const lines = elements.map(([key, value]) =>
    JSON.stringify({ op: "add", path: `/elements/${key}`, value }),
  );
  const written = lines.map((line) => {
    if (random() >= 0.3) return line;
    changed++;
    return mutated(line, random);
  });
  const text = `${written.join("\n")}\n`;
  let spec: unknown;
  const parser = fromSpecStream({ onLineError: () => reported++, onTruncated: "keep" });
  for await (const next of pipe(from([text]), parser.snapshots)) spec = next;
  const compiler = createSpecStreamCompiler();
  compiler.push(text);
  for (const [key, value] of elements) {
    count(spec, key, value, ours);
    count(compiler.getResult(), key, value, theirs);
  }
}
const row = (name: string, { right, wrong, lost }: Count, errors: number): string[] =>
  [name, right, wrong, lost, errors].map((cell) => cell.toLocaleString("en"));
console.log(`10,000 elements, one a line, of which ${changed.toLocaleString("en")} have a mistake:\n`);
console.log(
  table(
    ["", "right", "wrong", "lost", "errors reported"],
    [row("fromSpecStream()", ours, reported), row("json-render", theirs, 0)],
  ),
);
