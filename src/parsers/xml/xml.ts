import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { isInstance } from "../../text/thrown.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { Operator } from "../../stream/operator.js";
import { XmlParseError } from "../../xml/errors.js";
import type { XmlEvent } from "../../xml/events.js";
import type { XmlParserOptions } from "../../xml/options.js";
import { XmlParser } from "../../xml/parser.js";
import type { XmlObject } from "../../xml/value.js";
import type { Chunk, OutputParser } from "../output-parser.js";
import {
  type ParserEnd,
  ParserTransform,
  parseText,
  type ParserView,
  patches,
  snapshots,
} from "../parser-transform.js";
import { parseFailure, valueAtEnd } from "../truncation.js";

// prettier-ignore
const optionNames = {
  attributes: true, append: true, extract: true, root: true, repair: true, onRepair: true,
  onTruncated: true, namespaces: true, maxDepth: true, maxTagLength: true, maxLength: true, tags: true,
  strict: true,
} satisfies OptionNames<XmlOutputParserOptions>;

/** The options of `xmlParser()`: those of `XmlParser`, but with `extract: "auto"` and `repair: true` by default. */
export interface XmlOutputParserOptions extends Omit<XmlParserOptions, "onEvent" | "onLeaf"> {
  /**
   * The tags to ask the model for, the root first. They appear only in the instructions; the parser reads any tags. To
   * find the document by the name of its root, use `root`.
   */
  readonly tags?: readonly string[];
  /** Whether the output must be nothing but correct XML: `extract: "none"` and `repair: false`. Default: false. */
  readonly strict?: boolean;
}

/** The parser of XML, and its four kinds of streams. */
export interface XmlOutputParser extends OutputParser<XmlObject, XmlObject> {
  /**
   * Yields one finished leaf as a nested path: `{root: [{name: "Alice"}]}`. A leaf is an element without children, an
   * attribute, or a text beside children. `addIncrements(a, b)` adds two of them, and the sum of all is the document.
   */
  readonly stream: Operator<Chunk, XmlObject>;
  /** Yields the document so far, after each chunk that changed it. Immutable; unchanged parts stay the same objects. */
  readonly snapshots: Operator<Chunk, XmlObject>;
  /** Yields one JSON Patch (RFC 6902) per chunk that changed the document, with `append` if that option is set. */
  readonly patches: Operator<Chunk, JsonPatch>;
  /**
   * Yields one event for everything that is read, in order: start and end tags, text and CDATA in pieces, comments and
   * instructions. White space is included. Before an error, the events up to it are yielded.
   */
  readonly events: Operator<Chunk, XmlEvent>;
}

/**
 * Reads XML while a model writes it. `.stream` yields one finished leaf as a nested path. The document may be in prose,
 * in a fence or after a `<think>` block, and its text may contain a bare `&` or `<` ("R&D", "a < b"). `onRepair`
 * reports each repair; `strict: true` accepts only correct XML.
 *
 * An element is an object with one key, its name. The value is its text, or, if it has child elements or attributes, a
 * list of all of them in order: `<a id="1">Hi <b>you</b></a>` is `{a: [{"@id": "1"}, "Hi ", {b: "you"}]}`.
 * docs/reference/xml.md has the rules.
 *
 * @throws {OutputParserError} if the document is cut (`truncated`) or wrong (`invalid`). It has the value so far and
 *   the finish reason; its `cause` is an `XmlParseError` with the place. A stream yields what came before the error
 *   first.
 *
 * @example
 * ```ts
 * import { from, pipe, xmlParser } from "millrace";
 *
 * const parser = xmlParser({ tags: ["team", "name"] });
 * const chunks = ["Here it is: <team><name>A", "da</name><name>Gr", "ace</name></team>"];
 * for await (const increment of pipe(from(chunks), parser.stream)) console.log(JSON.stringify(increment));
 * for await (const snapshot of pipe(from(chunks), parser.snapshots)) console.log(JSON.stringify(snapshot));
 * ```
 *
 * ```text prints
 * {"team":[{"name":"Ada"}]}
 * {"team":[{"name":"Grace"}]}
 * {"team":[{"name":"A"}]}
 * {"team":[{"name":"Ada"},{"name":"Gr"}]}
 * {"team":[{"name":"Ada"},{"name":"Grace"}]}
 * ```
 */
export function xmlParser(options: XmlOutputParserOptions = {}): XmlOutputParser {
  checkOptions("xmlParser()", options, optionNames);
  const { tags, strict = false, ...others } = options;
  const parserOptions: XmlParserOptions = { extract: strict ? "none" : "auto", repair: !strict, ...others };
  return {
    instructions: xmlInstructions(tags),
    parse: (output) => parseText(new XmlParser(parserOptions), atEnd, output).value,
    stream: xmlStage(parserOptions, () => collecting((listen) => ({ onLeaf: listen }))),
    snapshots: xmlStage(parserOptions, () => snapshots<XmlObject>()),
    patches: xmlStage(parserOptions, () => patches),
    events: xmlStage(parserOptions, () => collecting((listen) => ({ onEvent: listen }))),
  };
}

/** Decides what a stream of one document yields. */
interface XmlView<Out> extends ParserView<XmlParser, Out> {
  /** Callbacks for the `XmlParser`. */
  readonly listeners?: Pick<XmlParserOptions, "onEvent" | "onLeaf">;
}

/** The stage around an `XmlParser`. Before an error, the view emits what the parser had read. */
function xmlStage<Out>(options: XmlParserOptions, createView: () => XmlView<Out>): Operator<Chunk, Out> {
  return stage((emit) => {
    const view = createView();
    return new ParserTransform(new XmlParser({ ...options, ...view.listeners }), view, atEnd, emit);
  });
}

const atEnd: ParserEnd<XmlParser, XmlObject, never> = {
  value: (parser, finishReason) => valueAtEnd(parser.snapshot(), "an XML document", finishReason),
  failure: (error, finishReason) =>
    isInstance(error, XmlParseError) ? parseFailure(error, finishReason) : error,
  finish: noop,
};

/** A view that emits what a listener of the parser collected during a chunk. */
function collecting<Out>(
  listeners: (listen: (value: Out) => void) => NonNullable<XmlView<Out>["listeners"]>,
): XmlView<Out> {
  let found: Out[] = [];
  return {
    listeners: listeners((value) => found.push(value)),
    show(_parser, emit) {
      if (found.length === 0) return;
      found.forEach(emit);
      found = [];
    },
  };
}

function xmlInstructions(tags: readonly string[] = []): string {
  const lines = [
    "Answer with one XML document and nothing else: no prose, no Markdown fence.",
    "Give every tag its end tag, in the right order. In text write &amp; for & and &lt; for <.",
  ];
  if (tags.length > 0) lines.push(`Use these tags: ${tags.map((tag) => `<${tag}>`).join(", ")}.`);
  return [...lines, "For example:", exampleOf(tags)].join("\n");
}

function exampleOf(tags: readonly string[]): string {
  const [root = "answer", ...inner] = tags.length > 0 ? tags : ["answer", "title", "text"];
  if (inner.length === 0) return `<${root}>text</${root}>`;
  return [`<${root}>`, ...inner.map((tag) => `  <${tag}>text</${tag}>`), `</${root}>`].join("\n");
}
