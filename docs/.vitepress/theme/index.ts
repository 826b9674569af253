import { h } from "vue";
import type { Theme } from "vitepress";
// Without fonts: those of the reader's system do, and nothing has to be loaded for them.
import theme from "vitepress/theme-without-fonts";
import { InstallLine } from "./install-line.js";
import { LiveDemo } from "./live-demo.js";
import { NotFound } from "./not-found.js";
import { WorksWith } from "./works-with.js";
import "./style.css";

/** The theme of VitePress. The front page also has the line that installs the package, a live demo
 * beside it, and names. */
export default {
  extends: theme,
  Layout: () =>
    h(theme.Layout, null, {
      "home-hero-info-after": () => h(InstallLine),
      "home-hero-image": () => h(LiveDemo),
      "home-features-before": () => h(WorksWith),
      "not-found": () => h(NotFound),
    }),
} satisfies Theme;
