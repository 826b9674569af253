/** What to measure. */
export interface RenderingRun {
  readonly library: "millrace" | "jsonRender" | "aiSdk";
  /** Components on the page. */
  readonly count: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/** The figures of one run. Times are milliseconds. */
export interface Figures {
  readonly framesPerSecond: number;
  readonly longestFrame: number;
  /** Tasks of more than 50 ms. */
  readonly longTasks: number;
  readonly longTime: number;
  readonly patches: number;
  /** Renders of components that show a text. */
  readonly renders: number;
}
