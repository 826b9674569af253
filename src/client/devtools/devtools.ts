import type { AgentEvent } from "../../agent/events.js";
import type { Operator } from "../../stream/operator.js";
import type { ConnectOptions } from "../store/patch-store.js";

/** The options of `createDevtools()`. */
export interface DevtoolsOptions {
  /** Written before amounts. Default: `$`. */
  readonly currency?: string;
  /** Whether the panel is open at first. Default: false. */
  readonly open?: boolean;
}

/** The panel. Created by `createDevtools()`. */
export interface Devtools {
  /** Adds a stream to the panel, or returns the probe of the stream with this name. */
  readonly stream: (name: string, options?: StreamProbeOptions) => StreamProbe;
  /** Removes the panel from the page. Probes continue to work and count nothing. */
  readonly close: () => void;
}

/** The options of `stream()`. */
export interface StreamProbeOptions {
  /**
   * Returns the URL of the run's report, from the URL of a request that starts or resumes the run. The server writes
   * the report with `reportOf()`. Default: none; the panel then knows the stream only from its patches.
   */
  readonly report?: (url: string) => string | URL;
  /** Called for the requests of the stream. Default: the global `fetch`. */
  readonly fetch?: NonNullable<ConnectOptions["fetch"]>;
}

/** Watches one stream. The functions work detached. */
export interface StreamProbe {
  /** Options for `useObject()`, `createObjectStore()` and `connect()`: `{ api, schema, ...probe.options }`. */
  readonly options: Pick<ConnectOptions, "onEvent" | "fetch">;
  /** Counts a render: `useEffect(probe.rendered)`, or `store.subscribe(probe.rendered)`. */
  readonly rendered: () => void;
  /** Passes on the events of an agent that runs in the page, and counts its chunks, repairs and tokens. */
  readonly events: Operator<AgentEvent, AgentEvent>;
}
