/**
 * `npm run compare:rendering` measures a page of 2,000 components in Chromium, and prints the table of docs/reference/client.md.
 */
import type { Plugin } from "esbuild";
import { chromium } from "playwright-core";
import { chromiumArgs, chromiumPath, noChromium } from "../scripts/find-chromium.js";
import { pageOf } from "../test/behaviour/browser/support/page.js";
import { siteOf } from "../test/behaviour/browser/support/site.js";
import type { Figures, RenderingRun } from "../test/conformance/compare/rendering/figures.js";

/** Resolves the names that peers.d.ts declares. */
const peers: Plugin = {
  name: "peers",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^peer:/ }, ({ path, kind, resolveDir }) =>
      bundler.resolve(path.slice("peer:".length), { kind, resolveDir }),
    );
  },
};
if (chromiumPath === undefined) throw new Error(noChromium);
const site = await siteOf(await pageOf("conformance/compare/rendering/page.tsx", [peers]), (_, response) =>
  response.end(),
);
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
const libraries = { millrace: "millrace", jsonRender: "json-render", aiSdk: "AI SDK" } as const;
console.log("| | frames per second | longest frame | long tasks | in them | patches | renders |");
console.log("| --- | --: | --: | --: | --: | --: | --: |");
for (const library of Object.keys(libraries) as (keyof typeof libraries)[]) {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error));
  await page.goto(site.url);
  const run: RenderingRun = { library, count: 2_000, perSecond: 1_000, seconds: 5 };
  const figures = await page.evaluate(
    (what) => (globalThis as unknown as { measure: (run: RenderingRun) => Promise<Figures> }).measure(what),
    run,
  );
  const { framesPerSecond, longestFrame, longTasks, longTime, patches, renders } = figures;
  const cells = [
    framesPerSecond.toFixed(1),
    `${longestFrame.toFixed(0)} ms`,
    longTasks,
    `${longTime.toFixed(0)} ms`,
    patches,
    renders,
  ];
  console.log(`| ${[libraries[library], ...cells].join(" | ")} |`);
  await page.close();
}
await browser.close();
await site.close();
