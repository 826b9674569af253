/**
 * A regular expression that is made when it is first used. V8 parses a literal while its module loads, and each class of
 * Unicode such as `\p{L}` takes 0.1 ms: together a tenth of the import of `millrace/json`.
 */
export function lazyPattern(source: string, flags = "u"): () => RegExp {
  let pattern: RegExp | undefined;
  return () => (pattern ??= new RegExp(source, flags));
}
