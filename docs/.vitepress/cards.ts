import { siteAddress } from "./base.js";
import { addressOf } from "./links.js";
import { writtenPages } from "./pages.js";
import type { ApiSection } from "./sections.js";

/** The sentence that describes a page, by its path from docs/, or the one of the whole package. */
export function aboutPage(path: string, sections: readonly ApiSection[], whole: string): string {
  const written = writtenPages.find((page) => page.path === path);
  if (written !== undefined) return written.about;
  const section = sections.find(({ file }) => path === `exports/${file}.md`);
  return section === undefined ? whole : `The API of ${section.entry}: ${section.about}.`;
}

/** The elements of the head that draw the card of a link to the page, in messages and social networks. */
export function cardOf(path: string, title: string, about: string): [string, Record<string, string>][] {
  const values = {
    "og:type": "website",
    "og:site_name": "millrace",
    "og:title": title,
    "og:description": about,
    "og:url": siteAddress + addressOf(path).slice(1).replace(/[^/]$/, "$&.html"),
    "og:image": `${siteAddress}card.png`,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "millrace: show typed objects while the model is still writing",
  };
  return [
    ...Object.entries(values).map(([property, content]): [string, Record<string, string>] => [
      "meta",
      { property, content },
    ]),
    ["meta", { name: "twitter:card", content: "summary_large_image" }],
  ];
}
