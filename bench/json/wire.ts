import { blocks } from "../chunks.js";
import { counted } from "../figures.js";
import { inputs } from "../inputs.js";

/** The bytes of the patches of one string of 200 KB as JSON, per character, in chunks of 4 characters. */
export const appendedBytes = counted("bytes on the wire, append", async () => {
  const { JsonParser } = await import("millrace");
  const { chapters } = JSON.parse(inputs.strings(4 * 200 * 1024)) as { chapters: [{ text: string }] };
  const [{ text }] = chapters;
  const parser = new JsonParser({ append: true });
  let bytes = 0;
  for (const chunk of blocks(JSON.stringify({ text }), 4)) {
    parser.write(chunk);
    const patch = parser.takePatch();
    if (patch.length > 0) bytes += Buffer.byteLength(JSON.stringify(patch));
  }
  parser.end();
  return bytes / text.length;
});
