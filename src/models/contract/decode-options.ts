/** The options of `decodeSse` and `decodeNdjson`. */
export interface DecodeOptions {
  /** How many characters an event or a line may have that is not whole yet. Default: 16,777,216. */
  readonly maxBuffer?: number | undefined;
}

/** Room for an image in base64 inside one event. */
export const defaultMaxBuffer: number = 16 * 1024 * 1024;
