/**
 * The exports of `millrace` that the tests of src/json use. Mutation testing starts a thousand times, and the whole
 * package takes it a second each time.
 */
export { MillraceError } from "#src/errors.js";
export { Allow } from "#src/json/allow.js";
export { applyPatch } from "#src/json/patch/apply-patch.js";
export { formatJsonError, JsonParseError } from "#src/json/errors.js";
export { expandAppends } from "#src/json/patch/expand-appends.js";
export { JsonParser } from "#src/json/parser.js";
export { JsonPatchError } from "#src/json/patch/patch-error.js";
export { everyCut, everyWay, fixedSizes } from "#src/testing/splits.js";
