/** The memory in use after reading 2 MB in chunks of 4 characters, and the bytes of patches. */
import { counted, type Figure, quotient } from "../harness/figures.js";
import { inputs } from "../inputs.js";
import { keep } from "../reading.js";
import { blocks, copied, pieces } from "../../test/support/pieces.js";
import { settledHeap } from "../../test/stream/support/garbage.js";
import { documentOf } from "./documents.js";

/** The values that are kept. */
const holders = {
  /** The reference. */
  "JSON.parse": async (text) => JSON.parse(copied(text)) as unknown,
  /** Without the parser. */
  value: async (text) => (await parsed(text)).value,
  "value and parser": parsed,
} satisfies Record<string, (text: string) => Promise<unknown>>;

type Holder = keyof typeof holders;

function kept(holder: Holder, document: string): Figure {
  return counted(`bytes kept by ${holder}, ${document}`, async () => {
    keep(await holders[holder](await documentOf(document, 512, 100))); // loads and compiles the code
    const text = await documentOf(document, 2048);
    keep({ text });
    const before = await settledHeap();
    keep({ text, value: await holders[holder](text) });
    return (await settledHeap()) - before;
  });
}

/** As a multiple of the value of `JSON.parse`. */
export function memoryRatio(holder: Holder, document: string): Figure {
  return quotient(kept(holder, document), kept("JSON.parse", document));
}

/** `write()` and `takePatch()`, discarding each patch. */
async function parsed(text: string): Promise<{ readonly value: unknown }> {
  const { fast, JsonParser } = await import("millrace/json");
  const parser = new JsonParser({ fast });
  // Pieces that nobody else holds, so a value that refers to one pays for it.
  for (const piece of pieces(text, () => 4)) {
    parser.write(piece);
    parser.takePatch();
  }
  parser.end();
  return parser;
}

/** The bytes of the patches of one string of 200 KB as JSON, per character, in chunks of 4 characters. */
export const appendedBytes = counted("bytes on the wire, append", async () => {
  const { fast, JsonParser } = await import("millrace/json");
  const { chapters } = JSON.parse(inputs.strings(4 * 200 * 1024)) as { chapters: [{ text: string }] };
  const [{ text }] = chapters;
  const parser = new JsonParser({ fast, append: true });
  let bytes = 0;
  for (const chunk of blocks(JSON.stringify({ text }), 4)) {
    parser.write(chunk);
    const patch = parser.takePatch();
    if (patch.length > 0) bytes += Buffer.byteLength(JSON.stringify(patch));
  }
  parser.end();
  return bytes / text.length;
});
