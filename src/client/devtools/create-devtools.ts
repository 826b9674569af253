import { noop } from "../../stream/core/result.js";
import type { Devtools, DevtoolsOptions, StreamProbe } from "./devtools.js";
import { openDevtools } from "./open-devtools.js";

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/**
 * Adds a panel to the page: the streams with their chunks, patches, renders, repairs, coercions, tokens and cost. It is
 * in a shadow root at the end of the body, apart from the styles of the page.
 *
 * In production it adds nothing and its probes do nothing: bundlers that replace `process.env.NODE_ENV`, as Vite,
 * webpack, Next and esbuild do, drop the code. On a server it adds nothing either.
 *
 * @example
 * ```ts no-run
 * import { createPatchStore, createDevtools } from "millrace/client";
 *
 * const devtools = createDevtools();
 * const probe = devtools.stream("recipe");
 * const store = createPatchStore<{ title: string }>();
 * store.subscribe(probe.rendered);
 * void store.connect("/runs/1", probe.options);
 * ```
 */
export function createDevtools(options: DevtoolsOptions = {}): Devtools {
  return process.env.NODE_ENV === "production" ? noDevtools : openDevtools(options);
}

const noProbe: StreamProbe = { options: {}, rendered: noop, events: (source) => source };
const noDevtools: Devtools = { stream: () => noProbe, close: noop };
