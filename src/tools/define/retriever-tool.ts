import { checkObject } from "../../text/check-options.js";
import { isRecord } from "../../messages/loose.js";
import { excerpt } from "../../text/excerpt.js";
import { kindName } from "../../text/kind-name.js";
import { tool, type Tool, type ToolOptions } from "./tool.js";

/** Finds documents for a query, with `retrieve()` or, as in LangChain, `invoke()`. A plain function works too. */
export type Retriever<Document extends RetrievedDocument = RetrievedDocument> =
  | { readonly retrieve: Retrieve<Document> }
  | { readonly invoke: Retrieve<Document> };

/**
 * Finds the documents for a query.
 *
 * @param options `signal` is aborted when the documents are no longer needed
 */
export type Retrieve<Document> = (
  query: string,
  options: { readonly signal: AbortSignal },
) => readonly Document[] | PromiseLike<readonly Document[]>;

/** A document that was found. Its text is `content` or, as in LangChain, `pageContent`. */
export interface RetrievedDocument {
  readonly content?: string;
  readonly pageContent?: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly id?: string | undefined;
}

/**
 * Formats a document for the model: a function, or a template of `content` (or `pageContent`), `id` and the fields of
 * the metadata.
 */
export type DocumentPrompt<Document> =
  | ((document: Document) => string)
  | { readonly format: (values: never) => string };

/** The options of `retrieverTool()`. */
export interface RetrieverToolOptions<
  Name extends string,
  Document,
  Output extends "content" | "content_and_artifact",
> extends Pick<
  ToolOptions<Name, undefined, unknown, unknown, unknown>,
  "name" | "onError" | "onInvalidInput" | "returnDirect" | "extras" | "strict" | "timeout" | "concurrency"
> {
  /** Tells the model which documents the tool finds, and when to use it. */
  readonly description: string;
  /** With `content_and_artifact`, the artifact of the tool message is the array of documents. Default: `content`. */
  readonly output?: Output;
  /** Default: only the text of the document. */
  readonly documentPrompt?: DocumentPrompt<Document>;
  /** The text between two documents. Default: an empty line. */
  readonly separator?: string;
}

/**
 * Makes a tool that looks something up: the model writes a `query` and gets the texts of the documents found.
 *
 * @throws {TypeError} if the retriever cannot be asked
 *
 * @example
 * ```ts
 * import { invoke, promptTemplate } from "millrace";
 * import { retrieverTool } from "millrace/agent";
 *
 * const pages = [{ content: "The wheel turns.", metadata: { title: "Mills" } }];
 * const search = retrieverTool((query) => pages.filter(({ content }) => content.includes(query)), {
 *   name: "search",
 *   description: "Looks up pages about mills.",
 *   documentPrompt: promptTemplate("{title}: {content}"),
 * });
 * console.log(await invoke(search, { query: "wheel" })); // "Mills: The wheel turns."
 * ```
 */
export function retrieverTool<
  const Name extends string,
  Document extends RetrievedDocument,
  Output extends "content" | "content_and_artifact" = "content",
>(
  retriever: Retriever<Document> | Retrieve<Document>,
  options: RetrieverToolOptions<Name, Document, Output>,
): Tool<
  { query: string },
  Output extends "content" ? string : [content: string, artifact: readonly Document[]]
> & { readonly name: Name } {
  checkObject("retrieverTool()", options);
  const { documentPrompt = textOfDocument, separator = "\n\n", ...others } = options;
  const retrieve = retrieveOf(retriever);
  const write = (document: Document): string =>
    typeof documentPrompt === "function"
      ? documentPrompt(document)
      : documentPrompt.format(valuesOf(document) as never);
  return tool({
    ...others,
    schema: {
      type: "object",
      properties: { query: { type: "string", description: "The search query" } },
      required: ["query"],
    },
    run: async ({ query }, { signal }) => {
      const text = query as string; // the schema has checked it
      const found = await retrieve(text, { signal });
      checkDocuments(found);
      const content = found.length === 0 ? "No documents found." : found.map(write).join(separator);
      return options.output === "content_and_artifact" ? [content, found] : content;
    },
  }) as never;
}

/** A text, for example, would be read as a document without a text. */
function checkDocuments(found: unknown): void {
  const isList = Array.isArray(found);
  if (isList && found.every(isRecord)) return;
  const what = isList ? `an array with ${kindName(found.find((it) => !isRecord(it)))}` : kindName(found);
  throw new TypeError(`The retriever must return an array of documents, but returned ${what}.`);
}

function textOfDocument({ content, pageContent = "" }: RetrievedDocument): string {
  return content ?? pageContent;
}

function valuesOf(document: RetrievedDocument): Readonly<Record<string, unknown>> {
  const { id, metadata } = document;
  const content = textOfDocument(document);
  return { ...metadata, ...(id !== undefined && { id }), content, pageContent: content };
}

function retrieveOf<Document extends RetrievedDocument>(
  retriever: Retriever<Document> | Retrieve<Document>,
): Retrieve<Document> {
  if (typeof retriever === "function") return retriever;
  const methods = Object(retriever) as { retrieve?: unknown; invoke?: unknown };
  for (const name of ["retrieve", "invoke"] as const) {
    const method = methods[name];
    if (typeof method === "function")
      return (query, options) => method.call(retriever, query, options) as never;
  }
  throw new TypeError(
    `retrieverTool() expects a function, or an object with retrieve() or invoke(), but got ${excerpt(retriever, 80)}. Write retrieverTool((query) => documents, options).`,
  );
}
