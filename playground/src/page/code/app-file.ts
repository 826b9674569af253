/** A file of an app that does what a run shows. */
export interface AppFile {
  readonly name: string;
  readonly code: string;
}
