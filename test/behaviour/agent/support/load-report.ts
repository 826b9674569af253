/** What is left of many agents when all have ended. */
export interface LoadReport {
  /** How many had the right result. */
  readonly right: number;
  /** Of the signal that they all had. */
  readonly listeners: number;
  /** How many agents, conversations and runs of tools are still known to somebody. */
  readonly alive: number;
  /** Bytes of the heap that are in use, above those before. */
  readonly kept: number;
  /** The most bytes that the process ever had. */
  readonly mostMemory: number;
  readonly timers: number;
}
