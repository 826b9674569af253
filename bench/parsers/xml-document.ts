import { randomOf } from "../random.js";

/** A report in XML of about `characters` characters: sections with titles, paragraphs and lists. */
export function xmlDocument(characters: number): string {
  const random = randomOf(5);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const words = (count: number): string => Array.from({ length: count }, () => pick(vocabulary)).join(" ");
  const parts: string[] = ["<report>\n"];
  let length = 0;
  for (let i = 1; length < characters; i++) {
    const section = [
      `  <section id="s${i}" kind="${pick(["finding", "method"])}">\n`,
      `    <title>${words(4)}</title>\n`,
      ...Array.from(
        { length: 3 },
        () => `    <p>${words(30)} &amp; <em>${words(2)}</em>, ${words(12)}.</p>\n`,
      ),
      `    <list>\n${Array.from({ length: 3 }, () => `      <item>${words(8)}</item>\n`).join("")}    </list>\n`,
      "  </section>\n",
    ].join("");
    parts.push(section);
    length += section.length;
  }
  return [...parts, "</report>"].join("");
}

const vocabulary =
  "the stream of a model is read while it arrives and what it says can be shown at once".split(" ");
