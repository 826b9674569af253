import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, type PageState, readAddress } from "../../src/page/input/page-address.js";
import { firstInput, withAnswer, withSample } from "../../src/page/input/use-input.js";
import { anyCharacter } from "../../../test/support/any-character.js";

const usual: PageState = { input: firstInput(), interval: 25, view: "run", story: undefined };

describe("the address of the playground", () => {
  it("is empty for what the page shows first", () => {
    expect(addressOf(usual)).toBe("");
    expect(readAddress("")).toEqual(usual);
  });

  it.each([
    ["characters-0", 1],
    ["characters-100001", 100_000],
  ])("of %s has a size that the server takes", (chunks, size) => {
    const { chunking } = readAddress(`#chunks=${chunks}`).input;
    expect(chunking).toEqual({ by: "characters", size });
  });

  it("leads to the same state, with any texts", () => {
    const text = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 50 })
      .map((one) => one.replace(/[\ud800-\udfff]/gu, ""));
    const input = fc.record({
      kind: fc.constantFrom("document", "recording", "model"),
      text,
      recording: text,
      model: text,
      prompt: text,
      strict: fc.boolean(),
      chunking: fc.oneof(
        fc.record({ by: fc.constant("characters"), size: fc.integer({ min: 1, max: 100_000 }) }),
        fc.record({ by: fc.constant("tokens"), seed: fc.nat(999_999) }),
        fc.constantFrom({ by: "words" }, { by: "lines" }),
      ),
    });
    fc.assert(
      fc.property(
        input,
        text,
        fc.constantFrom(0, 5, 25, 1000),
        fc.boolean(),
        fc.constantFrom("json", "spec"),
        (change, schema, interval, code, format) => {
          const { kind } = change;
          const own = { ...firstInput(), ...change, sample: "" } as PageState["input"];
          const state: PageState = {
            ...usual,
            input: {
              ...own,
              schemas: { ...own.schemas, [kind]: schema },
              formats: { ...own.formats, [kind]: format },
            },
            interval,
            view: code ? "code" : "run",
          };
          const read = readAddress(addressOf(state));
          expect(addressOf(read)).toBe(addressOf(state));
          expect(read).toMatchObject({ interval, view: state.view });
          expect(read.input).toMatchObject({ kind, strict: change.strict });
          expect(read.input.schemas[kind]).toBe(schema);
          expect(read.input.formats[kind]).toBe(format);
          if (kind === "document")
            expect(read.input).toMatchObject({ text: change.text, chunking: change.chunking });
          else if (kind === "model")
            expect(read.input).toMatchObject({ model: change.model, prompt: change.prompt });
          else expect(read.input.recording).toBe(change.recording);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("names a sample or a story instead of its text", () => {
    const contacts = withSample(firstInput(), "Contacts");
    expect(addressOf({ ...usual, input: contacts })).toBe("#sample=Contacts");
    const told = readAddress("#story=wrong-answer");
    expect(told.input.sample).toBe("Breaks its schema");
    expect(addressOf(told)).toBe("#story=wrong-answer");
    const dashboard = readAddress("#story=dashboard");
    expect([dashboard.input.formats.document, addressOf(dashboard)]).toEqual(["spec", "#story=dashboard"]);
  });

  it("asks a model for a dashboard with its prompt and components, which a link keeps", () => {
    const model = { ...firstInput(), kind: "model" as const };
    const asked = withAnswer(model, "spec");
    expect(asked.prompt).not.toBe(model.prompt);
    expect(addressOf({ ...usual, input: asked })).toBe("#kind=model&format=spec");
    expect(readAddress("#kind=model&format=spec").input).toEqual(asked);
    expect(withAnswer(asked, "json")).toEqual(model);
    expect(withAnswer({ ...model, prompt: "Mine." }, "spec").prompt).toBe("Mine.");
  });

  it("leaves out long texts, and ignores values that the page does not know", () => {
    const { schemas, ...rest } = firstInput();
    const long = { ...rest, sample: "", text: "x".repeat(10_000), schemas: { ...schemas, document: "" } };
    expect(addressOf({ ...usual, input: long }).length).toBeLessThan(100);
    expect(readAddress("#kind=x&sample=y&story=z&speed=7&chunks=characters-0.5&view=w&a=b")).toEqual(usual);
  });
});
