import type { CreateShortCuts } from "#src/json/options.js";

/** Replaces `src/json/fast/fast-paths.ts` where `npm run test:plain` runs the JSON suite. */
export const fast: CreateShortCuts | undefined = undefined;

export function sharedFast(): undefined {}
