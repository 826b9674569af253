import { existsSync } from "node:fs";

/**
 * Paths of Debian and of other systems. `CHROMIUM_PATH` has precedence. The headless shell has no user interface, so
 * the tests take half of the processor time.
 */
const places = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

const { CHROMIUM_PATH } = process.env;

/** The path of Chromium, or `undefined`. */
export const chromiumPath: string | undefined = (CHROMIUM_PATH === undefined ? places : [CHROMIUM_PATH]).find(
  (path) => existsSync(path),
);

/** The reason for skipping tests. */
export const noChromium = `there is no Chromium (CHROMIUM_PATH, ${places.join(", ")})`;

/** Chromium has no sandbox as root, for example in a container. There is no GPU. */
export const chromiumArgs: string[] = [
  "--disable-gpu",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
