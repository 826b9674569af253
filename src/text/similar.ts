/**
 * The first of the names that differs from a name only in case, separators or one edit. Otherwise the only one that
 * begins with it.
 */
export function similarTo(name: string, names: readonly string[]): string | undefined {
  const wanted = plain(name);
  const similar = names.find((known) => plain(known) === wanted || isOneEditFrom(plain(known), wanted));
  if (similar !== undefined || wanted.length < 3) return similar;
  const [longer, ...others] = names.filter((known) => plain(known).startsWith(wanted));
  return others.length === 0 ? longer : undefined;
}

/** Without case and separators: `max_retries` and `maxRetries` are the same. */
function plain(name: string): string {
  return name
    .slice(0, 60)
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** Whether one character was added, left out or changed, or two were swapped. */
function isOneEditFrom(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) &&
      restA.slice(0, 2) === restB.slice(0, 2).split("").reverse().join(""))
  );
}
