import type { JsonPatch, JsonValue } from "millrace";
import { describe, expect, test } from "vitest";
import { cuts } from "../../bench/chunks.js";
import { documentNames, documentOf } from "../../bench/json/documents.js";
import { subjects, type SubjectName } from "../../bench/json/subjects.js";
import { applyPatch } from "../json/support/apply-patch.js";

describe("who is measured does the work: at the end it has shown the whole document", () => {
  for (const name of Object.keys(subjects) as SubjectName[]) {
    for (const document of documentNames) {
      test(`${name}, ${document}`, async () => {
        const text = documentOf(document, 1);
        const { shows, ...subject } = subjects[name];
        const read = await subject.load();
        const shown: unknown[] = [];
        await read(cuts["1-8"](text), (value) => shown.push(value));
        if (shows === "nothing") expect(shown).toEqual([text.length]);
        else if (shows === "values") expect(shown.at(-1)).toEqual(JSON.parse(text));
        else expect((shown as JsonPatch[]).reduce<JsonValue>(applyPatch, null)).toEqual(JSON.parse(text));
      });
    }
  }
});
