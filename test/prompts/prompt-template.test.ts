import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MillraceError, promptTemplate, PromptError, type PromptValue } from "millrace";
import { thrownBy } from "./thrown-by.js";

describe("promptTemplate", () => {
  test.each<{ text: string; values: Record<string, PromptValue>; result: string }>([
    { text: "no variables", values: {}, result: "no variables" },
    { text: "", values: {}, result: "" },
    { text: "{a}", values: { a: "x" }, result: "x" },
    { text: "{a}{b}{a}", values: { a: 1, b: 2n }, result: "121" },
    { text: "is it {a}?", values: { a: false }, result: "is it false?" },
    { text: "{a}", values: { a: "" }, result: "" },
    { text: "{{a}}", values: { a: "x" }, result: "{a}" },
    { text: "{{{a}}}", values: { a: "x" }, result: "{x}" },
    { text: "{{}}{a}}}{{", values: { a: "x" }, result: "{}x}{" },
    { text: "{{{{a}}}}", values: {}, result: "{{a}}" },
    { text: "{größe} {$_1} {名前}", values: { größe: 1, $_1: 2, 名前: 3 }, result: "1 2 3" },
    { text: "{constructor}", values: { constructor: "x" }, result: "x" },
    { text: "a\n{b}\n", values: { b: "x\ny" }, result: "a\nx\ny\n" },
  ])("formats $text as $result", ({ text, values, result }) => {
    expect(promptTemplate(text).format(values)).toBe(result);
  });

  test("does not treat a value as a template", () => {
    const prompt = promptTemplate("{a} {b}");
    expect(prompt.format({ a: "{b} {{ }} {a}", b: "$& $1 {a" })).toBe("{b} {{ }} {a} $& $1 {a");
    expect(prompt.partial({ a: "{b}" }).format({ b: "{a}" })).toBe("{b} {a}");
  });

  test("inverts the doubling of braces, for any text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("{", "}", "a", "\n")), fc.string(), (characters, value) => {
        const text = characters.join("");
        const doubled = text.replaceAll("{", "{{").replaceAll("}", "}}");
        expect(promptTemplate(`${doubled}{x}${doubled}`).format({ x: value })).toBe(text + value + text);
      }),
    );
  });

  test("lists the required variables once each, in order", () => {
    const prompt = promptTemplate("{b} {a} {b} {{c}}");
    expect(prompt.variables).toEqual(["b", "a"]);
    expect(prompt.partial({ b: 1 }).variables).toEqual(["a"]);
  });

  test("partial() returns a new template, and can be repeated", () => {
    const prompt = promptTemplate("{a} {b} {c}");
    const one = prompt.partial({ a: 1 });
    expect(one.partial({ c: 3 }).format({ b: 2 })).toBe("1 2 3");
    expect(one.partial({ c: 4, b: 5 }).format()).toBe("1 5 4");
    expect(prompt.variables).toEqual(["a", "b", "c"]);
    expect(one.variables).toEqual(["b", "c"]);
  });

  test("ignores unknown variables", () => {
    const values = { a: 1, more: { than: "needed" } };
    expect(promptTemplate("{a}").format(values)).toBe("1");
  });

  test("reports a missing variable with its place and the known variables", () => {
    const prompt = promptTemplate("Tell {person} of {city}.");
    const error = thrownBy(() => prompt.format({ person: "Ada" } as never));
    expect(error).toBeInstanceOf(PromptError);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({
      code: "missing_variable",
      variable: "city",
      place: "the template",
      offset: 17,
      message: expect.stringContaining("person") as string,
    });
    expect(thrownBy(() => prompt.format(undefined as never))).toMatchObject({
      variable: "person",
      message: expect.stringContaining("none") as string,
    });
    expect(thrownBy(() => prompt.format({ person: undefined, city: "x" } as never))).toMatchObject({
      code: "missing_variable",
      message: expect.stringContaining(": city.") as string,
    });
  });

  test("ignores inherited properties of the values", () => {
    expect(thrownBy(() => promptTemplate("{toString}").format({} as never))).toMatchObject({
      code: "missing_variable",
    });
    const values = JSON.parse('{"__proto__": "x"}') as { __proto__: string };
    expect(promptTemplate("{__proto__}").format(values as never)).toBe("x");
  });

  test.each([null, {}, [], ["a"], Symbol("s"), () => "a"])("rejects the value %o", (value) => {
    const error = thrownBy(() => promptTemplate("a {b}").format({ b: value } as never));
    expect(error).toMatchObject({ code: "invalid_value", variable: "b", offset: 2 });
  });

  test.each([undefined, null, 5, ["a"]])("rejects %j as its text", (text) => {
    const error = thrownBy(() => promptTemplate(text as never));
    expect(error).toBeInstanceOf(PromptError);
    expect(error).toMatchObject({ code: "invalid_template", place: "the template" });
  });

  test.each([
    ["a {", 2, '"{" at line 1, column 3'],
    ["a }", 2, '"}" at line 1, column 3'],
    ["a {b}} c", 5, '"}" at line 1, column 6'],
    ["a\nb\r\n {}", 6, "line 3, column 2"],
    ['{"a": 1}', 0, '{"a": 1},'],
    ["{ a }", 0, "{ a },"],
    ["{a.b}", 0, "{a.b},"],
    ["{1}", 0, "{1},"],
    ["{{{}}}", 2, "{},"],
    ["{a{b}}", 0, "{a{b},"],
  ])("rejects %j when it is created, with the place", (text: string, offset, problem) => {
    const error = thrownBy(() => promptTemplate(text));
    expect(error).toMatchObject({ code: "invalid_template", place: "the template", offset });
    expect((error as Error).message).toContain(problem);
  });
});
