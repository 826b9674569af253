/** The part of `@babel/core` that the tests use. */
declare module "@babel/core" {
  export function transformAsync(
    code: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly code?: string | null } | null>;
}
