import { ModelError } from "../contract/errors.js";

/** Merging copies all metadata so far, so a server must not add keys without end. Providers send about 20. */
const maxKeys = 256;

/** @throws {ModelError} `protocol` */
export function checkKeyCount(count: number): void {
  if (count > maxKeys)
    throw new ModelError("protocol", `The answer has more than ${maxKeys} unknown fields.`);
}
