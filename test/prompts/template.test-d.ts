import {
  chatPrompt,
  user,
  type Message,
  type MessagesInput,
  placeholder,
  promptTemplate,
  type PromptTemplate,
  type PromptValue,
  system,
  type UnknownVariables,
} from "millrace";
import { describe, expectTypeOf, test } from "vitest";

const history = [user("Hi")];

describe("promptTemplate", () => {
  test("infers the names of the variables from the text", () => {
    const prompt = promptTemplate("Describe {city} to {person}, and {city} again.");
    expectTypeOf(prompt).toEqualTypeOf<
      PromptTemplate<{ readonly city: PromptValue; readonly person: PromptValue }>
    >();
    expectTypeOf(prompt.variables).toEqualTypeOf<readonly ("city" | "person")[]>();
    expectTypeOf(prompt.format({ city: "Oslo", person: 1 })).toEqualTypeOf<string>();
  });

  test("rejects missing, extra and invalid variables", () => {
    const prompt = promptTemplate("Describe {city} to {person}.");
    // @ts-expect-error: person is missing
    prompt.format({ city: "Oslo" });
    // @ts-expect-error: all are missing
    prompt.format();
    // @ts-expect-error: a name is wrong
    prompt.format({ city: "Oslo", person: "Ada", persn: "Ada" });
    // @ts-expect-error: an object is not text
    prompt.format({ city: "Oslo", person: { name: "Ada" } });
    // @ts-expect-error: undefined is not text
    prompt.format({ city: "Oslo", person: undefined });
  });

  test("distinguishes doubled braces from variables", () => {
    const noVariables = promptTemplate('Answer with {{"name": "…"}} and {{}}.').variables;
    expectTypeOf(noVariables).toEqualTypeOf<readonly never[]>();
    expectTypeOf(promptTemplate("{{{a}}} {{b}} }}{c}{{").variables).toEqualTypeOf<readonly ("a" | "c")[]>();
    expectTypeOf(promptTemplate("no end {a").variables).toEqualTypeOf<readonly never[]>();
    promptTemplate("nothing wanted").format();
  });

  test("accepts any variables if the text is only known at run time", () => {
    const text: string = "{a}";
    const prompt = promptTemplate(text);
    expectTypeOf(prompt).toEqualTypeOf<PromptTemplate<UnknownVariables>>();
    prompt.format({ a: "1" });
    prompt.format();
  });

  test("requires the rest after partial()", () => {
    const rest = promptTemplate("{a} {b} {c}").partial({ b: 1 });
    expectTypeOf(rest).toEqualTypeOf<PromptTemplate<{ readonly a: PromptValue; readonly c: PromptValue }>>();
    expectTypeOf(rest.partial({ a: 1, c: 2 }).variables).toEqualTypeOf<readonly never[]>();
    rest.partial({ a: 1, c: 2 }).format();
    // @ts-expect-error: b is already set
    rest.format({ a: 1, b: 2, c: 3 });
    // @ts-expect-error: c is missing
    rest.format({ a: 1 });
    // @ts-expect-error: there is no d
    rest.partial({ d: 1 });
    // @ts-expect-error: not a text
    rest.partial({ a: [] });
  });

  test("infers many variables of a long text", () => {
    const prompt = promptTemplate(
      "{a0} {a1} {a2} {a3} {a4} {a5} {a6} {a7} {a8} {a9} {b0} {b1} {b2} {b3} {b4} {b5} {b6} {b7} {b8} {b9} {c0} {c1} {c2} {c3} {c4} {c5} {c6} {c7} {c8} {c9} {{ {d0} }} {d1} {d2} {d3} {d4} {d5} {d6} {d7} {d8} {d9} {e0} {e1} {e2} {e3} {e4} {e5} {e6} {e7} {e8} {e9} {f0} {f1} {f2} {f3} {f4} {f5} {f6} {f7} {f8} {f9}",
    );
    const isVariable = (name: (typeof prompt.variables)[number]): boolean => prompt.variables.includes(name);
    isVariable("f9");
    // @ts-expect-error: there is no such variable
    isVariable("g0");
  });
});

describe("chatPrompt", () => {
  const prompt = chatPrompt([
    ["system", "You are {role}."],
    placeholder("examples", { optional: true, maxMessages: 4 }),
    placeholder("history"),
    { role: "user", content: "From {person}" },
    "And {person} asks {question}",
    [
      "user",
      [
        { type: "text", text: "{question}" },
        { type: "image", url: "{photo}" },
      ],
    ],
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: "data:image/png;base64,{bytes}" } }],
    },
  ]);

  test("infers the variables of all parts", () => {
    type Wanted = Parameters<typeof prompt.format>[0];
    expectTypeOf<Wanted>().toEqualTypeOf<{
      readonly role: PromptValue;
      readonly examples?: MessagesInput | undefined;
      readonly history: MessagesInput;
      readonly person: PromptValue;
      readonly question: PromptValue;
      readonly photo: PromptValue;
      readonly bytes: PromptValue;
    }>();
    const texts = { role: "a", person: "b", question: "c", photo: "d", bytes: "e" };
    expectTypeOf(prompt.format({ ...texts, history })).toEqualTypeOf<Message[]>();
    prompt.format({ ...texts, history: "Hi", examples: [{ role: "ai", content: "x" }] });
    // @ts-expect-error: the history is missing
    prompt.format(texts);
    // @ts-expect-error: a number is not a list of messages
    prompt.format({ ...texts, history: 7 });
    // @ts-expect-error: messages are not text
    prompt.format({ ...texts, history, photo: history });
  });

  test("infers the variables of contentBlocks and parts", () => {
    const other = chatPrompt([
      { role: "user", contentBlocks: [{ type: "text", text: "{a}" }] },
      { role: "user", parts: [{ type: "file", mediaType: "image/png", url: "{b}" }, { text: "{c}" }, "{d}"] },
    ]);
    expectTypeOf(other.variables).toEqualTypeOf<readonly ("a" | "b" | "c" | "d")[]>();
  });

  test("requires the rest after partial(), and keeps optional variables", () => {
    const rest = prompt.partial({ role: "a", person: "b", question: "c", bytes: "e", history });
    expectTypeOf(rest.variables).toEqualTypeOf<readonly ("examples" | "photo")[]>();
    rest.format({ photo: "p" });
    // @ts-expect-error: photo is missing
    rest.format({ examples: history });
    rest.partial({ photo: "p" }).format();
    rest.partial({ photo: "p" }).format({ examples: history });
  });

  test("needs no argument without variables", () => {
    const fixed = chatPrompt([["system", "{{x}}"], placeholder("few", { optional: true })]);
    fixed.format();
    chatPrompt([]).format();
  });

  test("requires the known variables, even next to a message that has none at compile time", () => {
    const mixed = chatPrompt([system("You are brief."), ["user", "{question}"]]);
    mixed.format({ question: "Why?" });
    mixed.format({ question: "Why?", more: "from the message" });
    // @ts-expect-error: question is missing
    mixed.format({ more: "from the message" });
  });

  test("ignores braces outside of the text of a message", () => {
    const calls = chatPrompt([
      {
        role: "assistant",
        content: [{ type: "tool_call", id: "{id}", name: "look", args: { at: "{place}" } }],
      },
      { role: "user", content: [{ type: "text", text: "{a}", metadata: { note: "{b}" } }] },
      { role: "assistant", content: [{ type: "audio", data: "{a}", transcript: "{b}" }] },
    ]);
    expectTypeOf(calls.variables).toEqualTypeOf<readonly "a"[]>();
  });

  test("rejects invalid parts", () => {
    // @ts-expect-error: no such role
    chatPrompt([["somebody", "Hi"]]);
    // @ts-expect-error: a tool's answer needs the id of its call, so it is written as a message
    chatPrompt([["tool", "42"]]);
  });
});
