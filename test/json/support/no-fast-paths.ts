/** Replaces `src/json/fast/fast-paths.ts` where `npm run test:plain` runs the JSON suite. */
export function createFastPaths(): undefined {}
