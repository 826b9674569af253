import { invoke, promptTemplate, PromptError } from "millrace";
import { type RetrievedDocument, retrieverTool } from "millrace/agent";
import { expect, test } from "vitest";
import { eventsOf, toldBy } from "../support.js";

const pages: readonly RetrievedDocument[] = [
  { content: "The wheel turns.", metadata: { title: "Mills", page: 1 }, id: "a" },
  { pageContent: "The water runs.", metadata: { title: "Races", page: 2 } },
];
const options = { name: "search", description: "Looks up pages." };
const query = { query: "mill" };

test("the model writes a query and gets the texts of the documents", async () => {
  const queries: string[] = [];
  const search = retrieverTool((text: string) => {
    queries.push(text);
    return Promise.resolve(pages);
  }, options);
  expect({ ...search }).toMatchObject({ ...options, parameters: { required: ["query"] }, output: "content" });
  expect(await toldBy(search, query)).toBe("The wheel turns.\n\nThe water runs.");
  expect(await invoke(search, { query: "race" })).toBe("The wheel turns.\n\nThe water runs.");
  expect(queries).toEqual(["mill", "race"]);
  expect(await eventsOf(search, { query: 1 })).toMatchObject([{ error: { code: "invalid_input" } }]);
});

test("documents are formatted by a function or by a template of content, id and metadata", async () => {
  const retriever = { retrieve: () => pages };
  const byFunction = retrieverTool(retriever, {
    ...options,
    documentPrompt: ({ metadata }) => `p. ${String(metadata?.["page"])}`,
    separator: "; ",
  });
  expect(await toldBy(byFunction, query)).toBe("p. 1; p. 2");
  const documentPrompt = promptTemplate("{title}, p. {page}: {content}");
  expect(await toldBy(retrieverTool(retriever, { ...options, documentPrompt, separator: "\n" }), query)).toBe(
    "Mills, p. 1: The wheel turns.\nRaces, p. 2: The water runs.",
  );
  const byId = retrieverTool(
    () => [
      { content: "", metadata: { id: "a" } },
      { id: "b", metadata: { id: "a" } },
    ],
    {
      ...options,
      documentPrompt: promptTemplate("{id}"),
      separator: ", ",
    },
  );
  expect(await toldBy(byId, query)).toBe("a, b");
  const wrong = retrieverTool(retriever, {
    ...options,
    documentPrompt: promptTemplate("{id}"),
    onError: false,
  });
  await expect(eventsOf(wrong, query)).rejects.toThrow(PromptError); // the second has no id
});

test("retrieve() is called with the retriever as this", async () => {
  class Shelf {
    readonly #pages = pages;
    retrieve(): readonly RetrievedDocument[] {
      return this.#pages;
    }
  }
  expect(await toldBy(retrieverTool(new Shelf(), options), query)).toContain("wheel");
});

test("the documents can be the artifact", async () => {
  const search = retrieverTool(() => pages, { ...options, output: "content_and_artifact" });
  const [event] = await eventsOf(search, query);
  expect(event).toHaveProperty("message.artifact", pages);
  expect(event).toMatchObject({ message: { content: [{ text: "The wheel turns.\n\nThe water runs." }] } });
  const found = await invoke(search, query);
  expect(found?.[1]).toBe(pages);
});

test("the model gets a text if no documents were found", async () => {
  expect(
    await toldBy(
      retrieverTool(() => [], options),
      query,
    ),
  ).toMatch(/\w/);
});

test("the signal of the retriever is aborted with the run", async () => {
  const stop = new AbortController();
  const search = retrieverTool(
    (_query, { signal }) =>
      new Promise<RetrievedDocument[]>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new Error("closed"));
        });
        stop.abort("enough");
      }),
    options,
  );
  await expect(eventsOf(search, query, { signal: stop.signal })).rejects.toBe("enough");
});

test("a retriever of LangChain is asked with invoke(), and its text is pageContent in a template", async () => {
  const retriever = {
    pages: [{ pageContent: "The water runs.", metadata: { title: "Races" } }],
    invoke(text: string) {
      return text === "mill" ? this.pages : [];
    },
  };
  const documentPrompt = promptTemplate("{title}: {pageContent}");
  expect(await invoke(retrieverTool(retriever, { ...options, documentPrompt }), query)).toBe(
    "Races: The water runs.",
  );
});

test.each([
  ["undefined", undefined],
  ["an object (Object)", { documents: pages }],
  ["an array with a string", ["The wheel turns."]],
  ["an array with null", [pages[0], null]],
])("an error says that the retriever returned %s", async (words, found) => {
  const search = retrieverTool((() => found) as never, { ...options, onError: false });
  await expect(eventsOf(search, query)).rejects.toThrow(`array of documents, but returned ${words}`);
});
