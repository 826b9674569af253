/** Creates the fragment of a heading as GitHub does, so that links to headings work on GitHub and on the site. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replaceAll(/\s/gu, "-");
}
