import { hasColor, type Io, isLiveTerminal } from "../terminal/io.js";
import { LiveView } from "../terminal/live-view.js";
import { colorStyles, plainStyles } from "../terminal/styles.js";
import type { ExtractCounts } from "./counts.js";
import { progressFrame } from "./progress-frame.js";

/** Shows the progress on standard error until it is closed: in place on a terminal, otherwise as lines of NDJSON. */
export function showProgress(counts: ExtractCounts, title: string, { stderr, env }: Io): { close(): void } {
  if (!isLiveTerminal(stderr, env)) {
    const write = (): void => {
      stderr.write(`${JSON.stringify(counts.progress)}\n`);
    };
    const timer = setInterval(write, lineInterval);
    return {
      close: () => {
        clearInterval(timer);
        write();
      },
    };
  }
  const view = new LiveView(stderr);
  const styles = hasColor(stderr, env) ? colorStyles : plainStyles;
  const show = (): void => {
    view.show((width) => progressFrame(counts.progress, { title, width, styles }));
  };
  const timer = setInterval(show, frameInterval);
  show();
  return {
    close: () => {
      clearInterval(timer);
      show();
      view.close();
    },
  };
}

const frameInterval = 250;
const lineInterval = 5_000;
