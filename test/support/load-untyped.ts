/** Loads a package whose declarations do not compile with our options. The caller declares the types it uses. */
export function loadUntyped<Module = Readonly<Record<string, unknown>>>(name: string): Promise<Module> {
  return import(name) as Promise<Module>;
}
