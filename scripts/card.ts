/**
 * `npm run card` draws docs/public/card.png, the picture in the card of a link to the site, from the logo.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "../docs/.vitepress/repository.js";
import { chromiumArgs, chromiumPath, noChromium } from "./find-chromium.js";

const logo = readFileSync(join(root, "docs/public/logo.svg"), "utf8");
const page = `<style>
  body { display: flex; flex-direction: column; justify-content: center; gap: 36px; width: 1200px; height: 630px;
    box-sizing: border-box; margin: 0; padding: 96px; background: #fff; color: #1f2328;
    font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; border-bottom: 24px solid #0b6e75 }
  header { display: flex; align-items: center; gap: 32px; font-size: 84px; font-weight: 700; color: #0b6e75 }
  svg { width: 108px }
  p { margin: 0; font-size: 52px; line-height: 1.3 }
</style>
<header>${logo}millrace</header>
<p>Show typed objects<br>while the model is still writing</p>`;

if (chromiumPath === undefined) throw new Error(noChromium);
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await tab.setContent(page);
await tab.screenshot({ path: join(root, "docs/public/card.png") });
await browser.close();
