import type { JsonValue } from "millrace";
import type { JsonRepairKind } from "millrace/json";
import { everyWay } from "millrace/testing";
import { expect, test } from "vitest";
import { type InWords, parserOf } from "../../support/parser-of.js";

export interface RepairTranscript {
  readonly text: string;
  readonly value: JsonValue;
  /** The kinds of the repairs, in the order in which they are detected, with their offsets. */
  readonly repairs: readonly (readonly [JsonRepairKind, number])[];
}

/** Tests that each text is repaired as described, for any split. */
export function testRepairs(
  transcripts: readonly RepairTranscript[],
  options: Pick<InWords, "extract"> = {},
): void {
  for (const { text, value, repairs } of transcripts) {
    test(`reads ${text}, for any split`, () => {
      for (const chunks of everyWay(text)) {
        const seen: [JsonRepairKind, number][] = [];
        const parser = parserOf({
          ...options,
          repair: true,
          onRepair: ({ kind, offset }) => seen.push([kind, offset]),
        });
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
        expect(parser.value).toEqual(value);
        expect(seen).toEqual(repairs);
      }
    });
  }
}
