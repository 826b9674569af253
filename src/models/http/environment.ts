/**
 * A variable of the environment, where there is one: not in a browser, and not where Deno is not allowed to read it. An empty
 * one counts as absent.
 */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Record<string, string | undefined> };
  };
  try {
    const value = process?.env?.[name]?.trim();
    return value === "" ? undefined : value;
  } catch {
    return undefined;
  }
}
