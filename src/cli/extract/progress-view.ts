import { type Io, isLiveTerminal } from "../terminal/io.js";
import { LiveView } from "../terminal/live-view.js";
import { stylesFor } from "../terminal/styles.js";
import type { ExtractCounts } from "./counts.js";
import { progressFrame } from "./progress-frame.js";

/** Shows the progress on standard error until it is closed: in place on a terminal, otherwise as lines of NDJSON. */
export function showProgress(counts: ExtractCounts, title: string, { stderr, env }: Io): { close(): void } {
  const view = isLiveTerminal(stderr, env) ? new LiveView(stderr) : undefined;
  const styles = stylesFor(stderr, env);
  const show = (): void => {
    if (view === undefined) stderr.write(`${JSON.stringify(counts.progress)}\n`);
    else view.show((width) => progressFrame(counts.progress, { title, width, styles }));
  };
  const timer = setInterval(show, view === undefined ? lineInterval : frameInterval);
  if (view !== undefined) show();
  return {
    close: () => {
      clearInterval(timer);
      show();
      view?.close();
    },
  };
}

const frameInterval = 250;
const lineInterval = 5_000;
