import { existsSync } from "node:fs";

/** Where Debian puts it, and where others do; `CHROMIUM_PATH` goes before. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const { CHROMIUM_PATH } = process.env;

/** The program, if there is one. */
export const chromiumPath: string | undefined = (CHROMIUM_PATH === undefined ? places : [CHROMIUM_PATH]).find(
  (path) => existsSync(path),
);

/** What is said where there is none. */
export const noChromium = `there is no Chromium (CHROMIUM_PATH, ${places.join(", ")})`;

/** As root, as in a container, Chromium cannot have its sandbox; GPUs there are none. */
export const chromiumArgs: string[] = [
  "--disable-gpu",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];
