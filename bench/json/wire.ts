/** The bytes of the patches of one long string as JSON, per character, in chunks of 4 characters. */
import { blocks } from "../chunks.js";
import { inputs } from "../inputs.js";
import type { CountedCase } from "../suite.js";
import type { Goal } from "./comparisons.js";

interface WireCase {
  readonly append: boolean;
  /** In KB. Without `append` the bytes are quadratic: 20 KB become 50 MB. */
  readonly size: number;
}

/** The goal applies to the first. */
export const wireCases: readonly [WireCase, ...WireCase[]] = [
  { append: true, size: 200 },
  { append: true, size: 20 },
  { append: false, size: 20 },
];
export const wireGoal: Goal = { sense: "less than", target: 20 };

export function wireId({ append, size }: WireCase): string {
  return `bytes on the wire, ${append ? "append" : "replace"}, ${size} KB`;
}

export const wire: readonly CountedCase[] = wireCases.map((it) => ({
  id: wireId(it),
  count: async () => {
    const { JsonParser } = await import("millrace");
    const prose = proseOf(it.size * 1024);
    const parser = new JsonParser({ append: it.append });
    let bytes = 0;
    for (const chunk of blocks(JSON.stringify({ text: prose }), 4)) {
      parser.write(chunk);
      const patch = parser.takePatch();
      if (patch.length > 0) bytes += Buffer.byteLength(JSON.stringify(patch));
    }
    parser.end();
    return bytes / prose.length;
  },
}));

/** The first string of `strings`, which is a quarter of the document. */
function proseOf(size: number): string {
  const { chapters } = JSON.parse(inputs.strings(size * 4)) as {
    readonly chapters: [{ readonly text: string }];
  };
  return chapters[0].text.slice(0, size);
}
