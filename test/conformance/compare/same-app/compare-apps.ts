import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumArgs, chromiumPath, noChromium } from "../../../../scripts/find-chromium.js";
import { recipeFiles } from "../../../behaviour/recipes/recipe-files.js";
import { aiSdkVersion, buildApp, installAiSdk, root } from "./apps.js";
import { measure } from "./measure.js";

/** A row of the table in docs/learn/comparison.md. */
export interface ComparedRow {
  readonly label: string;
  /** Of millrace and of the AI SDK. */
  readonly cells: readonly [string, string];
  /** By how much a figure may differ from the page: 0.1 is 10 %. Other cells are the same text. */
  readonly tolerance?: number;
}

/**
 * Runs the app of docs/learn/recipes/next.md, and the same app written with the AI SDK as its documentation shows, in
 * Chromium. Both use the same schema, the same local model server and the same Node.
 */
export async function compareApps(rounds: number): Promise<ComparedRow[]> {
  if (chromiumPath === undefined) throw new Error(`The apps cannot be compared: ${noChromium}`);
  await installAiSdk();
  const files = recipeFiles("next");
  const peer = (name: string): string =>
    readFileSync(join(import.meta.dirname, `ai-sdk.${name}.txt`), "utf8");
  const schema = files.get("lib/recipe.ts") ?? "";
  const page = files.get("app/page.tsx") ?? "";
  const route = files.get("app/api/recipe/route.ts") ?? "";
  const ours = await buildApp({ name: "millrace", page, route }, schema);
  const theirs = await buildApp({ name: "AI SDK 7", page: peer("page"), route: peer("route") }, schema);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  try {
    const a = await measure(ours, browser, rounds);
    const b = await measure(theirs, browser, rounds);
    const figures = (from: (app: { bytes: number; renders: number; firstField: number }) => number) =>
      [from(a), from(b)].map((figure) => Math.round(figure).toLocaleString("en")) as [string, string];
    const kb = (bytes: number): string => (bytes / 1000).toFixed(0);
    return [
      { label: "lines of the page and the route", cells: [String(ours.lines), String(theirs.lines)] },
      {
        label: "KB of the page with React, minified and gzipped",
        cells: [kb(ours.gzipped), kb(theirs.gzipped)],
        tolerance: 0.05,
      },
      { label: "bytes on the wire", cells: figures(({ bytes }) => bytes), tolerance: 0.1 },
      { label: "renders", cells: figures(({ renders }) => renders), tolerance: 0.5 },
      {
        label: "from the click to the first field, ms",
        cells: figures(({ firstField }) => firstField),
        tolerance: Infinity,
      },
      { label: "the page is reloaded in the middle", cells: [a.reload, b.reload] },
      { label: "the connection is cut in the middle", cells: [a.cut, b.cut] },
      { label: "the request is refused with 401", cells: [a.refused, b.refused] },
      { label: "`minutes` is a text", cells: [a.wrongType, b.wrongType] },
      {
        label: "version",
        cells: [
          (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version,
          aiSdkVersion(),
        ],
      },
    ];
  } finally {
    await browser.close();
  }
}
