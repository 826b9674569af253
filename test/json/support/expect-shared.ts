import type { JsonValue } from "millrace";
import { expect } from "vitest";
import { differences, isContainer, memberOf } from "./differences.js";

/** Unchanged values must be the same object. */
export function expectShared(before: JsonValue | undefined, after: JsonValue | undefined): void {
  if (!isContainer(before) || !isContainer(after) || before === after) return;
  expect(differences(before, after), "a copy of what had not changed").not.toEqual([]);
  for (const key of Object.keys(before)) expectShared(memberOf(before, key), memberOf(after, key));
}
