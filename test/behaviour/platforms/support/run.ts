/** The number of patches of a run after its first. */
export const length = 60;

/** The measurements of a server. */
export interface Report {
  /** The number of patches that `/flood` has made. */
  made: number;
  /** The number of times that the patches of `/silent` were closed. */
  closed: number;
}
