/** The fragment of a heading as GitHub makes it, so that a link to a heading works on both. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/gu, "-");
}
