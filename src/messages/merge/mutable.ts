/** The writable form of a readonly type, to fill in an object field by field. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
