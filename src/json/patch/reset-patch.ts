import type { JsonPatch } from "./patch.js";

/** Takes back a value that was shown. The first patch of the next one sets the root again. */
export const resetPatch: JsonPatch = [{ op: "replace", path: "", value: null }];
