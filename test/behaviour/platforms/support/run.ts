/** How many patches a run has after its first. */
export const length = 60;

/** What a server tells of itself. */
export interface Report {
  /** How many patches `/flood` has made. */
  made: number;
  /** How often the patches of `/silent` were closed. */
  closed: number;
}
