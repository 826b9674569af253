import type { FinishReason } from "../../messages/finish-reason.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { XmlParseError } from "../../xml/errors.js";
import type { XmlParserOptions } from "../../xml/options.js";
import { XmlParser } from "../../xml/parser.js";
import type { XmlObject } from "../../xml/value.js";
import { type Chunk, ChunkReader } from "../output-parser.js";
import { parseFailure, valueAtEnd } from "../truncation.js";

/** What one reading of a document gives out while it goes on. */
export interface XmlView<Out> {
  /** What it wants to be told by the machine. */
  readonly listeners?: Pick<XmlParserOptions, "onEvent" | "onLeaf">;
  /** After each chunk that had text, and at the end: emits what is new. */
  show(parser: XmlParser, emit: (value: Out) => void): void;
}

/**
 * The thin shell around `XmlParser`: chunks in, what the view shows out. What a chunk gave before it went wrong is shown
 * before the error.
 */
export function xmlStage<Out>(
  options: XmlParserOptions,
  createView: () => XmlView<Out>,
): Operator<Chunk, Out> {
  return stage((emit) => {
    const view = createView();
    const parser = new XmlParser({ ...options, ...view.listeners });
    const reader = new ChunkReader();
    const reading = (read: () => void): void => {
      try {
        read();
      } catch (error) {
        view.show(parser, emit);
        throw xmlOutputError(error, reader.finishReason);
      }
      view.show(parser, emit);
    };
    return {
      next: (chunk) => {
        const text = reader.read(chunk);
        if (text !== "") reading(() => parser.write(text));
      },
      end: () => {
        reading(() => parser.end());
        documentOf(parser, reader.finishReason);
      },
    };
  });
}

export function documentOf(parser: XmlParser, finishReason: FinishReason | undefined): XmlObject {
  return valueAtEnd(parser.snapshot(), "an XML document", finishReason);
}

/** The error of the XML machine as that of an output parser, with why the model stopped. */
export function xmlOutputError(error: unknown, finishReason: FinishReason | undefined): unknown {
  return error instanceof XmlParseError ? parseFailure(error, finishReason) : error;
}
