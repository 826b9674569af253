/** What remains of many agents after their end. */
export interface LoadReport {
  /** The number of right results. */
  readonly right: number;
  /** The listeners that remain on the shared signal. */
  readonly listeners: number;
  /** The number of agents, conversations and tool runs that were not collected. */
  readonly alive: number;
  /** The growth of the used heap in bytes. */
  readonly kept: number;
  readonly timers: number;
}
