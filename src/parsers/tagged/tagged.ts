import type { AssistantMessage } from "../../messages/message.js";
import type { Operator } from "../../stream/operator.js";
import { type Chunk, type Output, type OutputParser, textOfOutput } from "../output-parser.js";
import { errorOfTag, TagRules, type TaggedParserOptions } from "./tagged-rules.js";
import { TagScanner } from "./tagged-scanner.js";
import { taggedStream } from "./tagged-stream.js";

/** The parser of each tag's content. */
export type TaggedParsers = Readonly<Record<string, OutputParser<unknown, unknown>>>;

/** What `.stream` yields: a part of a tag's content, as the parser of that tag gives it. */
export type TaggedPart<Parsers extends TaggedParsers> = {
  readonly [Tag in keyof Parsers & string]: {
    readonly tag: Tag;
    readonly value: Parsers[Tag] extends OutputParser<unknown, infer Part> ? Part : never;
  };
}[keyof Parsers & string];

/** What `parse` gives: the result of each tag's parser. */
export type TaggedResult<Parsers extends TaggedParsers, Optional extends string = never> = {
  readonly [Tag in Exclude<keyof Parsers & string, Optional>]: ResultOf<Parsers[Tag]>;
} & { readonly [Tag in keyof Parsers & Optional]?: ResultOf<Parsers[Tag]> };

type ResultOf<Parser> = Parser extends OutputParser<infer Result, unknown> ? Result : never;

/** The parser of an output in tags. */
export type TaggedOutputParser<Parsers extends TaggedParsers, Optional extends string = never> = OutputParser<
  TaggedResult<Parsers, Optional>,
  TaggedPart<Parsers>
>;

/**
 * Reads an output like `<thinking>…</thinking><answer>…</answer>`: the content of each tag streams through a parser of its
 * own. `.stream` gives the parts of all of them as they come, each with its tag; `parse` an object of their results.
 *
 * A tag is its name in angle brackets, to the letter; the tags may come in any order. Inside a tag only its own end is
 * one, and all else is text, also another tag: so the content cannot have its own end in it. What stands outside of them
 * is skipped, but a tag that is only mentioned there ("I will write `<answer>`") opens. The content is given as it is, white space too.
 *
 * The parser of a tag is pulled only when a part is asked for, and pulls the source only when it needs more. When the
 * consumer leaves, it is closed, and so is the source. A parser that ends before its tag does has the rest skipped.
 *
 * @throws {OutputParserError} `truncated` if the output ended inside a tag, or was cut before it had all of them;
 *   `invalid` if one is missing or comes again. An error of a tag's parser keeps its code, and is the `cause`. The `value`
 *   has the results so far by tag, in a stream only that of the tag in which it went wrong.
 * @throws {TypeError} if there is no tag, or a name is not a letter or `_`, and letters, digits, `_` or `-` behind it
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
  const entries = Object.entries(parsers);
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
  const known = { results, finishReason };
  let tag = "";
  let content = "";
  let open: string | undefined;
  for (const event of [...scanner.write(text), ...scanner.end()]) {
    switch (event.kind) {
      case "open":
        tag = event.tag;
        content = "";
        if (results.has(tag)) rules.checkRepeated(tag, known);
        break;
      case "text":
        content += event.text;
        break;
      case "close": {
        if (event.cut) open = tag;
        if (results.has(tag)) break; // it came again, and is skipped
        const parser = parsers.get(tag) as OutputParser<unknown, unknown>;
        try {
          results.set(tag, parser.parse(event.cut ? cutOutput(content, finishReason) : content));
        } catch (error) {
          throw errorOfTag(tag, error, known);
        }
        break;
      }
    }
  }
  rules.checkEnd(results, open, known);
  return Object.fromEntries(results);
}

/** What the parser of the last tag must know of it besides its text. */
function cutOutput(text: string, finishReason: AssistantMessage["finishReason"]): string | AssistantMessage {
  if (finishReason === undefined) return text;
  return { role: "assistant", content: [{ type: "text", text }], finishReason };
}

function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw new TypeError("taggedParser() needs a parser for one tag at least.");
  for (const name of names) {
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) {
      throw new TypeError(`A tag is letters, digits, "_" and "-", but got ${JSON.stringify(name)}.`);
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
