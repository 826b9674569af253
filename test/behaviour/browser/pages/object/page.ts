import type { StreamedObject } from "millrace/client";
import { z } from "zod";
import { probe } from "../probe.js";

/**
 * What the page of each framework shows: the sections `a` and `b`, each with its own recipe of the same server, and a
 * button `#leave` that removes `a`. The markup is the same for all, and is rendered on the server first.
 */
export const recipe = z.object({ title: z.string(), steps: z.array(z.string()) });
export type Recipe = z.infer<typeof recipe>;

export const names = ["a", "b"] as const;

/** The last line of a section. */
export function summary({
  status,
  error,
  progress,
}: Pick<StreamedObject<Recipe>, "status" | "error" | "progress">): string {
  const { characters, items, complete } = progress;
  return [status, error?.status, error?.reason, characters, items, complete.length].join(" ");
}

/**
 * Counts a change of a section, and how many happen in one frame.
 *
 * @param _read what the change depends on
 */
export function shown(section: string, ..._read: unknown[]): void {
  const { frames, perFrame } = probe;
  const key = `${section} ${frames}`;
  perFrame[key] = (perFrame[key] ?? 0) + 1;
}
