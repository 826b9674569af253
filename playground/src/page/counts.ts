/** Formats `1234567` as `1,234,567`, independent of the locale. */
export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** `1 chunk`, `2 chunks`. */
export function counted(n: number, one: string, many: string = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Formats a number of bytes in powers of 1000: `999 B`, `24.9 kB`, `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `52 %`, or `undefined` without a part. */
export function share(part: number, whole: number): string | undefined {
  return part <= 0 || whole <= 0 ? undefined : `${Math.round((part / whole) * 100)} %`;
}
