import type { AssistantMessage } from "../../messages/message.js";
import type { Operator } from "../../stream/operator.js";
import { type Chunk, type Output, type OutputParser, textOfOutput } from "../output-parser.js";
import { tagParserError, TagRules, type TaggedParserOptions } from "./tagged-rules.js";
import { TagScanner } from "./tagged-scanner.js";
import { taggedStream } from "./tagged-stream.js";
import { lazyPattern } from "../../text/lazy-pattern.js";

/** A parser for the content of each tag. */
export type TaggedParsers = Readonly<Record<string, OutputParser<unknown, unknown>>>;

/** A value that `.stream` yields: the name of a tag, and a value that its parser yielded. */
export type TaggedPart<Parsers extends TaggedParsers> = {
  readonly [Tag in keyof Parsers & string]: {
    readonly tag: Tag;
    readonly value: Parsers[Tag] extends OutputParser<unknown, infer Part> ? Part : never;
  };
}[keyof Parsers & string];

/** The value that `parse()` returns: the result of each tag's parser. */
export type TaggedResult<Parsers extends TaggedParsers, Optional extends string = never> = {
  readonly [Tag in Exclude<keyof Parsers & string, Optional>]: ParserResult<Parsers[Tag]>;
} & { readonly [Tag in keyof Parsers & Optional]?: ParserResult<Parsers[Tag]> };

type ParserResult<Parser> = Parser extends OutputParser<infer Result, unknown> ? Result : never;

/** A parser of an output in tags. */
export interface TaggedOutputParser<
  Parsers extends TaggedParsers,
  Optional extends string = never,
> extends OutputParser<TaggedResult<Parsers, Optional>, TaggedPart<Parsers>> {
  /** Yields `{ tag, value }` for each value that the parser of the open tag yields. */
  readonly stream: Operator<Chunk, TaggedPart<Parsers>>;
}

/**
 * Parses an output like `<thinking>…</thinking><answer>…</answer>` with a parser for the content of each tag. `.stream`
 * yields the values of these parsers, each with its tag. `parse()` returns an object of their results.
 *
 * The tags may be in any order. A tag is exactly its name in angle brackets, without attributes. Inside a tag only its
 * own closing tag counts, and everything else is text, other tags too. Text outside the tags is skipped, but a tag that
 * is only mentioned there ("I will write `<answer>`") opens. White space in the content is kept.
 *
 * The parser of a tag pulls the source only when it needs more to yield a value. When the consumer stops, the parser
 * and the source are closed. If a parser ends before its tag, the rest of the tag is skipped.
 *
 * @throws {OutputParserError} `truncated` if the output ended inside a tag, or ended early without all tags; `invalid`
 *   if a tag is missing or repeated. An error of a tag's parser keeps its code and is the `cause`. `value` has the
 *   results so far by tag; in a stream, only that of the failed tag.
 * @throws {TypeError} if there is no tag, or a name is not a letter or `_` followed by letters, digits, `_` or `-`
 *
 * @example
 * ```ts
 * import { from, jsonParser, pipe, taggedParser, textParser } from "millrace";
 *
 * const parser = taggedParser({ answer: textParser(), data: jsonParser() });
 * const chunks = ["Well: <ans", "wer>It is", " 42.</answer>\n<data>", '{"n": 42}</data>'];
 * for await (const { tag, value } of pipe(from(chunks), parser.stream)) console.log(tag, value);
 * console.log(parser.parse(chunks.join("")));
 * ```
 *
 * ```text prints
 * answer It is
 * answer  42.
 * data { n: 42 }
 * { answer: 'It is 42.', data: { n: 42 } }
 * ```
 */
export function taggedParser<Parsers extends TaggedParsers, Optional extends keyof Parsers & string = never>(
  parsers: Parsers,
  options: TaggedParserOptions<Optional> = {},
): TaggedOutputParser<Parsers, Optional> {
  const entries = Object.entries((parsers as TaggedParsers | null | undefined) ?? {});
  const names = entries.map(([name]) => name);
  checkNames(names);
  const rules = new TagRules(names, options);
  const streams = new Map(entries.map(([name, { stream }]) => [name, stream]));
  return {
    get instructions() {
      return options.instructions ?? instructionsFor(parsers, options.optional ?? []);
    },
    parse: (output) => parseTags(new Map(entries), rules, output) as TaggedResult<Parsers, Optional>,
    stream: taggedStream(streams, rules) as Operator<Chunk, TaggedPart<Parsers>>,
  };
}

function parseTags(
  parsers: ReadonlyMap<string, OutputParser<unknown, unknown>>,
  rules: TagRules,
  output: Output,
): object {
  const { text, finishReason } = textOfOutput(output);
  const scanner = new TagScanner([...parsers.keys()]);
  const results = new Map<string, unknown>();
  const context = { results, finishReason };
  let tag = "";
  let content = "";
  let open: string | undefined;
  for (const event of [...scanner.write(text), ...scanner.end()]) {
    switch (event.kind) {
      case "open":
        tag = event.tag;
        content = "";
        if (results.has(tag)) rules.checkRepeated(tag, context);
        break;
      case "text":
        content += event.text;
        break;
      case "close": {
        if (event.truncated) open = tag;
        if (results.has(tag)) break; // repeated, so skipped
        const parser = parsers.get(tag) as OutputParser<unknown, unknown>;
        try {
          results.set(tag, parser.parse(event.truncated ? truncatedOutput(content, finishReason) : content));
        } catch (error) {
          throw tagParserError(tag, error, context);
        }
        break;
      }
    }
  }
  rules.checkEnd(results, open, context);
  return Object.fromEntries(results);
}

/** The content of a tag that is not closed, with the finish reason for its parser. */
function truncatedOutput(
  text: string,
  finishReason: AssistantMessage["finishReason"],
): string | AssistantMessage {
  if (finishReason === undefined) return text;
  return { role: "assistant", content: [{ type: "text", text }], finishReason };
}

const tagName = lazyPattern(String.raw`^[\p{L}_][\p{L}\p{N}_-]*$`);

function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw new TypeError("taggedParser() needs a parser for at least one tag.");
  for (const name of names) {
    if (!tagName().test(name)) {
      throw new TypeError(`Expected a tag of letters, digits, "_" and "-", but got ${JSON.stringify(name)}.`);
    }
  }
}

function instructionsFor(parsers: TaggedParsers, optional: readonly string[]): string {
  const names = Object.keys(parsers);
  const contents = Object.entries(parsers).map(([name, { instructions }]) => {
    const may = optional.includes(name) ? " (may be left out)" : "";
    return `Inside <${name}>${may}: ${instructions}`;
  });
  return [
    "Answer with these tags, each once and in this order, and nothing outside of them:",
    ...names.map((name) => `<${name}>…</${name}>`),
    ...contents,
  ].join("\n");
}
