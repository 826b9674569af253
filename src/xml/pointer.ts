/** One step down, as RFC 6901 writes it: `~` is `~0`, `/` is `~1`. Names of elements may have neither, prefixes too. */
export function childPointer(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}/${key}`;
  return `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
