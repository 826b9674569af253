/**
 * A value that is still arriving: any property may be missing, at any depth. What is there has its full type: numbers,
 * literals and enums appear only when they are complete. Strings grow.
 */
export type DeepPartial<T> = T extends readonly (infer Element)[]
  ? DeepPartial<Element>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;
