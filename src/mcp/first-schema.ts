/**
 * A schema of a request as far as the first SDK looks at it: a schema of Zod 3 with the name of the method, which accepts
 * any request.
 */
export function requestSchema(method: string): object {
  return { shape: { method: { value: method } }, ...looseSchema };
}

/** A schema of Zod 3 that accepts anything. The first SDK calls `safeParse()`, and older versions `parse()`. */
export const looseSchema = {
  parse: (value: unknown): unknown => value,
  safeParse: (data: unknown): { readonly success: true; readonly data: unknown } => ({ success: true, data }),
};
