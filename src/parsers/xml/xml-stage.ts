import type { FinishReason } from "../../messages/finish-reason.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { XmlParseError } from "../../xml/errors.js";
import type { XmlParserOptions } from "../../xml/options.js";
import { XmlParser } from "../../xml/parser.js";
import type { XmlObject } from "../../xml/value.js";
import { type Chunk, ChunkReader } from "../output-parser.js";
import { parseFailure, valueAtEnd } from "../truncation.js";
import { isInstance } from "../../text/thrown.js";

/** Decides what a stream of one document yields. */
export interface XmlView<Out> {
  /** Callbacks for the `XmlParser`. */
  readonly listeners?: Pick<XmlParserOptions, "onEvent" | "onLeaf">;
  /** Emits what is new. Called after each chunk with text, and at the end. */
  show(parser: XmlParser, emit: (value: Out) => void): void;
}

/** The stage around an `XmlParser`. Before an error, the view emits what the parser had read. */
export function xmlStage<Out>(
  options: XmlParserOptions,
  createView: () => XmlView<Out>,
): Operator<Chunk, Out> {
  return stage((emit) => {
    const view = createView();
    const parser = new XmlParser({ ...options, ...view.listeners });
    const reader = new ChunkReader();
    const readAndShow = (read: () => void): void => {
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
        if (text !== "") readAndShow(() => parser.write(text));
      },
      end: () => {
        readAndShow(() => parser.end());
        documentOf(parser, reader.finishReason);
      },
    };
  });
}

export function documentOf(parser: XmlParser, finishReason: FinishReason | undefined): XmlObject {
  return valueAtEnd(parser.snapshot(), "an XML document", finishReason);
}

/** Turns an `XmlParseError` into an `OutputParserError` with the finish reason. */
export function xmlOutputError(error: unknown, finishReason: FinishReason | undefined): unknown {
  return isInstance(error, XmlParseError) ? parseFailure(error, finishReason) : error;
}
