import { createAgent, from, type JsonPatch, type JsonValue } from "millrace";
import { providerStrategy, toolStrategy } from "millrace/agent";
import { toTextStream } from "millrace/serve";
import { GrowingJsonText } from "#src/json/patch/growing-json-text.js";
import { everyCut } from "millrace/testing";
import { parsePartialJson } from "./untyped-ai-sdk.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { parserOf } from "../../support/parser-of.js";

const documents = [
  '{"title":"Te\\"a\\n☕😀","steps":["boil",{"x":[[],{}]},"pour"],"n":[1,-2.5e3,true,null,""],"o":{}}',
  "[]",
  '"a text that grows"',
  "12",
  "null",
  '[[["a"],"b"],{"c":{"d":"e"}}]',
  // Objects put integer keys first, in any order of writing.
  '{"b":"x","2":"yy","1":{"a":["zz",{"9":"u","8":"vw"}]},"c":[3]}',
  // The last of several equal keys wins.
  '{"a":"xyz","a":"b","c":{"d":[1]},"c":{"e":"f"},"g":1}',
  '{"__proto__":{"x":"yy"},"constructor":{"prototype":"z"}}',
];

/** The patch and the value of a parser after each piece of `size` characters. */
function parsed(
  text: string,
  size: number,
  append: boolean,
): { readonly patch: JsonPatch; readonly value: JsonValue | undefined }[] {
  const parser = parserOf({ append });
  const all = [];
  for (let at = 0; at < text.length; at += size) {
    parser.write(text.slice(at, at + size));
    all.push({ patch: parser.takePatch(), value: parser.snapshot() });
  }
  parser.end();
  all.push({ patch: parser.takePatch(), value: parser.snapshot() });
  return all;
}

describe("the text of patches", () => {
  for (const append of [true, false]) {
    test(`only grows, and parses to the value of the patches when it is closed (append: ${append})`, async () => {
      for (const document of documents) {
        for (let size = 1; size <= 12; size++) {
          const moments = parsed(document, size, append);
          const writer = new GrowingJsonText();
          let text = "";
          for (const [index, { value }] of moments.entries()) {
            text += writer.write((moments[index] as (typeof moments)[number]).patch);
            const replayed = new GrowingJsonText();
            let closed = "";
            for (const { patch } of moments.slice(0, index + 1)) closed += replayed.write(patch);
            expect(closed).toBe(text);
            closed += replayed.end();
            expect(closed === "" ? undefined : JSON.parse(closed), `${document} by ${size}`).toEqual(value);
            // `useObject` reads the text with this function, which rejects `__proto__`.
            if (text !== "" && !document.includes("__proto__"))
              expect((await parsePartialJson(text)).value).toEqual(value);
          }
          expect(JSON.parse(text + writer.end())).toEqual(JSON.parse(document));
        }
      }
    });
  }

  test("is no longer than the document, with any number of patches", () => {
    const long = "x".repeat(20_000);
    const writer = new GrowingJsonText();
    let length = 0;
    for (const { patch } of parsed(JSON.stringify({ a: long }), 4, true))
      length += writer.write(patch).length;
    expect(length + writer.end().length).toBe(JSON.stringify({ a: long }).length);
  });

  test("an operation that changes earlier text is a misfit", () => {
    const taken = (...patches: readonly JsonPatch[]): (() => string) => {
      const writer = new GrowingJsonText();
      return () => patches.map((patch) => writer.write(patch)).join("") + writer.end();
    };
    const root = (value: JsonValue): JsonPatch => [{ op: "replace", path: "", value }];
    expect(taken(root({ a: 1 }), root(null))).toThrow(expect.objectContaining({ code: "misfit" }));
    expect(taken(root([1]), [{ op: "replace", path: "/0", value: 2 }])).toThrow(
      expect.objectContaining({ code: "misfit" }),
    );
    expect(taken(root([1]), [{ op: "add", path: "/0", value: 2 }])).toThrow(
      expect.objectContaining({ code: "misfit" }),
    );
    expect(taken(root("abc"), root("abd"))).toThrow(expect.objectContaining({ code: "misfit" }));
    expect(taken(root(null), root({ a: 1 }))()).toBe('{"a":1}');
    expect(taken([], [])()).toBe("");
  });
});

describe("toTextStream()", () => {
  const schema = z.object({ n: z.int().max(5), s: z.string() }).meta({ title: "Answer" });

  test("forwards text unchanged", async () => {
    const response = toTextStream(from(['{"a', '": 1}']), { headers: { "x-own": "1" } });
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("x-own")).toBe("1");
    expect(await response.text()).toBe('{"a": 1}');
  });

  test("sends the same bytes wherever a text is cut, also within a character", async () => {
    for (const text of ["a😀b", "😀", "\ud83d", "a\ud83d", "\ud83d\ud83d\ude00", "\ude00a"]) {
      for (const chunks of everyCut(text)) {
        expect(await toTextStream(from(chunks)).text()).toBe(await new Response(text).text());
      }
    }
  });

  test("sends the response of an agent without the prose around it", async () => {
    const model = answers([["Here: ```json\n{n: 4, s: 'a", "b'}\n```"]], {
      profile: { structuredOutput: true },
    });
    const agent = createAgent({ model, responseFormat: providerStrategy(schema), append: true });
    expect(await toTextStream(agent.patches("Hi")).text()).toBe('{"n":4,"s":"ab"}');
  });

  test("fails if a rejected response was sent in part, and continues if nothing of it was sent", async () => {
    const errors: unknown[] = [];
    const streamOf = (first: string): Response => {
      const model = answers([call("1", "Answer", first), call("2", "Answer", '{"n": 5, "s": "x"}')]);
      const agent = createAgent({ model, responseFormat: toolStrategy(schema) });
      return toTextStream(agent.patches("Hi"), { onError: (error) => void errors.push(error) });
    };
    await expect(streamOf('{"s": "a", "n": 9}').text()).rejects.toThrow();
    expect(errors).toEqual([expect.objectContaining({ code: "misfit" })]);
    expect(await streamOf("9").text()).toBe('{"n":5,"s":"x"}');
  });
});
