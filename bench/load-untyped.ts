/**
 * A package whose declarations do not compile under our flags: loaded by a name that the compiler does not follow. The
 * caller says what it uses of it.
 */
export function loadUntyped<Module = Readonly<Record<string, unknown>>>(name: string): Promise<Module> {
  return import(name) as Promise<Module>;
}
