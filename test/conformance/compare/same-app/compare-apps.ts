import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumArgs, chromiumPath, noChromium } from "../../../../scripts/find-chromium.js";
import { recipeFiles } from "../../../behaviour/recipes/recipe-files.js";
import { type AppSource, buildApp, type BuiltApp, installPeer, peerVersion, root } from "./apps.js";
import { failureLabels, measure, type Measured } from "./measure.js";

/** The libraries, in the order of the columns. */
export const compared = ["millrace", "AI SDK 7", "LangChain.js"] as const;

/** A row of the table in docs/learn/comparison.md. */
export interface ComparedRow {
  readonly label: string;
  /** One for each library. */
  readonly cells: readonly string[];
  /** By how much a figure may differ from the page: 0.1 is 10 %. Other cells are the same text. */
  readonly tolerance?: number;
}

/**
 * Runs the app of docs/learn/recipes/next.md, and the same app written with other libraries as their documentation
 * shows, in Chromium. All use the same schema, the same local model server and the same Node.
 */
export async function compareApps(rounds: number): Promise<ComparedRow[]> {
  if (chromiumPath === undefined) throw new Error(`The apps cannot be compared: ${noChromium}`);
  await installPeer("AI SDK 7");
  await installPeer("LangChain.js");
  const schema = recipeFiles("next").get("lib/recipe.ts") ?? "";
  const apps: BuiltApp[] = [];
  for (const source of sources()) apps.push(await buildApp(source, schema));
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  try {
    const all: Measured[] = [];
    for (const app of apps) all.push(await measure(app, browser, rounds));
    const figures = (name: "bytes" | "renders" | "firstField"): string[] =>
      all.map((app) => Math.round(app[name]).toLocaleString("en"));
    const kb = apps.map(({ gzipped }) => (gzipped / 1000).toFixed(0));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    return [
      { label: "lines of the page and the route", cells: apps.map(({ lines }) => String(lines)) },
      { label: "KB of the page with React, minified and gzipped", cells: kb, tolerance: 0.05 },
      { label: "bytes on the wire", cells: figures("bytes"), tolerance: 0.1 },
      { label: "renders", cells: figures("renders"), tolerance: 0.5 },
      { label: "from the click to the first field, ms", cells: figures("firstField"), tolerance: Infinity },
      ...failureLabels.map((label, at) => ({ label, cells: all.map((app) => app.failures[at] ?? "") })),
      {
        label: "version",
        cells: [version, peerVersion("AI SDK 7", "ai"), peerVersion("LangChain.js", "langchain")],
      },
    ];
  } finally {
    await browser.close();
  }
}

function sources(): readonly AppSource[] {
  const ours = recipeFiles("next");
  const peer = (file: string): string => readFileSync(join(import.meta.dirname, `${file}.txt`), "utf8");
  return [
    {
      name: compared[0],
      // As the recipe says for an address that leads to the answer.
      page: (ours.get("app/page.tsx") ?? "").replace('"/api/recipe"', '$&, remember: "url"'),
      route: ours.get("app/api/recipe/route.ts") ?? "",
    },
    { name: compared[1], page: peer("ai-sdk.page"), route: peer("ai-sdk.route") },
    { name: compared[2], page: peer("langchain.page"), route: peer("langchain.route") },
  ];
}
