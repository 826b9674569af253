/** For a value that is put together field by field, and handed on as a readonly one. */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
