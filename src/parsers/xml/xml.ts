import type { JsonPatch, JsonPatchOperation } from "../../json/patch/patch.js";
import type { Operator } from "../../stream/operator.js";
import type { XmlEvent } from "../../xml/events.js";
import type { XmlParserOptions } from "../../xml/options.js";
import { XmlParser } from "../../xml/parser.js";
import type { XmlObject } from "../../xml/value.js";
import { type Chunk, type OutputParser, textOfOutput } from "../output-parser.js";
import { patches, snapshots } from "../views.js";
import { xmlInstructions } from "./xml-instructions.js";
import { documentOf, xmlOutputError, xmlStage, type XmlView } from "./xml-stage.js";

/** Those of `XmlParser`, for each stream that is read, but with `extract: "auto"` and `repair: true` by default. */
export interface XmlOutputParserOptions extends Omit<XmlParserOptions, "onEvent" | "onLeaf"> {
  /**
   * The tags to ask the model for, the root first. They are for the instructions only: what the model writes is read
   * whatever its tags are. `root` says where the document begins.
   */
  readonly tags?: readonly string[];
  /** The output must be XML and nothing else: `extract: "none"` and `repair: false`. Default: false. */
  readonly strict?: boolean;
}

/** The parser of XML, with every view that its streams can give. */
export interface XmlOutputParser extends OutputParser<XmlObject, XmlObject> {
  /**
   * Each leaf as soon as it is complete, as the path to it: `{root: [{name: "Alice"}]}`. A leaf is an element without
   * children, an attribute, or a run of text beside children. `addIncrements(a, b)` adds two of one document, and the sum
   * of all is the document.
   */
  readonly stream: Operator<Chunk, XmlObject>;
  /** The document after each chunk that changed something, immutable; what did not change is the same object as before. */
  readonly snapshots: Operator<Chunk, XmlObject>;
  /** After each chunk that changed something, the change: RFC 6902, and `append` if that option is set. */
  readonly patches: Operator<Chunk, JsonPatch>;
  /**
   * All that is read, in order: elements with their attributes and depth, text and CDATA in pieces as they come, comments
   * and instructions. Nothing is left out, neither white space nor, at a wrong end, what was read before it.
   */
  readonly events: Operator<Chunk, XmlEvent>;
}

/**
 * Reads XML while a model writes it: in prose, fences and `<think>` blocks or bare, and with a bare `&` or `<` in its text
 * ("R&D", "a < b"). Each repair is reported through `onRepair`; `strict: true` takes nothing but XML.
 *
 * An element is an object with one key, its name. It has its text, or, if there are child elements or attributes, a list of
 * all in their order: `<a id="1">Hi <b>you</b></a>` is `{a: [{"@id": "1"}, "Hi ", {b: "you"}]}`. docs/xml.md has the rules.
 *
 * Every view checks the end: a document that is cut, or whose tags do not match, ends the stream with an
 * `OutputParserError` that carries the value so far and why the model stopped; its `cause` is an `XmlParseError`, which says
 * where. What the last chunk gave is shown before it.
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
export function xmlParser({ tags, strict = false, ...others }: XmlOutputParserOptions = {}): XmlOutputParser {
  const options: XmlParserOptions = { extract: strict ? "none" : "auto", repair: !strict, ...others };
  return {
    instructions: xmlInstructions(tags),
    parse: (output) => {
      const { text, finishReason } = textOfOutput(output);
      const parser = new XmlParser(options);
      try {
        parser.write(text);
        parser.end();
      } catch (error) {
        throw xmlOutputError(error, finishReason);
      }
      return documentOf(parser, finishReason);
    },
    stream: xmlStage(options, () => collecting((listen) => ({ onLeaf: listen }))),
    snapshots: xmlStage(options, () => snapshots<XmlObject>()),
    patches: xmlStage(options, () => patches<JsonPatchOperation>()),
    events: xmlStage(options, () => collecting((listen) => ({ onEvent: listen }))),
  };
}

/** What the machine tells during a chunk. */
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
