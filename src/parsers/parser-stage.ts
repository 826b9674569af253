import type { JsonPatch, JsonPatchOperation } from "../json/patch/patch.js";
import type { FinishReason } from "../messages/finish-reason.js";
import { stage } from "../stream/core/stage.js";
import type { Transform } from "../stream/core/transform.js";
import type { Operator } from "../stream/operator.js";
import { type Chunk, ChunkReader, type Output, textOfOutput } from "./output-parser.js";
import { stoppedEarly } from "./truncation.js";

/** A machine that reads a text in pieces. */
export interface TextParser {
  write(text: string): void;
  end(options: { readonly truncated: boolean }): void;
}

/** Turns the state of a parser into the values that a stage emits. */
export interface ParserView<Parser, Out> {
  /** Called after each chunk with text, with its length, and at the end, with 0. Emits what is new. */
  show(parser: Parser, emit: (value: Out) => void, characters: number): void;
  /** Called once, after the last `show()`, when the text has ended or is invalid. */
  close?(parser: Parser, emit: (value: Out) => void): void;
}

/** Emits a snapshot after each chunk that changed it, for any parser with immutable snapshots. */
export function snapshots<Value>(): ParserView<{ snapshot(): Value | undefined }, Value> {
  let last: Value | undefined;
  return {
    show(parser, emit) {
      const snapshot = parser.snapshot();
      if (snapshot === undefined || snapshot === last) return;
      last = snapshot;
      emit(snapshot);
    },
  };
}

/** Emits a patch after each chunk that changed the value. It has no state, so all streams share it. */
export const patches: ParserView<{ takePatch(): JsonPatchOperation[] }, JsonPatch> = {
  show(parser, emit) {
    const patch = parser.takePatch();
    if (patch.length > 0) emit(patch);
  },
};

/** The end of a text in a format, for `parse()` and for streams. */
export interface ParserEnd<Parser, Value> {
  /** The value at the end. Throws if there is none. */
  valueOf(parser: Parser, finishReason: FinishReason | undefined): Value;
  /** The error of the output, for an error of the parser. */
  errorOf(error: unknown, finishReason: FinishReason | undefined, parser: Parser): unknown;
}

/** The end of a stream. */
export interface StreamEnd<Parser, Value, Out> extends ParserEnd<Parser, Value> {
  /** Called with the value at the end. The stream ends when the promise settles. */
  finish(
    value: Value,
    finishReason: FinishReason | undefined,
    emit: (value: Out) => void,
  ): void | Promise<void>;
}

/**
 * The stage around a parser: it reads chunks and emits what the view shows. If a chunk becomes invalid, the values
 * before that place are emitted before the error.
 */
export function parserStage<Parser extends TextParser, Value, Out>(
  open: () => readonly [Parser, ParserView<Parser, Out>],
  end: StreamEnd<Parser, Value, Out>,
): Operator<Chunk, Out> {
  return stage((emit) => new ParserTransform(...open(), end, emit));
}

/** An object, not functions that share variables: an open stream takes 250 bytes less. */
export class ParserTransform<Parser extends TextParser, Value, Out>
  extends ChunkReader
  implements Transform<Chunk>
{
  private readonly parser: Parser;
  private readonly view: ParserView<Parser, Out>;
  private readonly atEnd: StreamEnd<Parser, Value, Out>;
  private readonly emit: (value: Out) => void;

  constructor(
    parser: Parser,
    view: ParserView<Parser, Out>,
    atEnd: StreamEnd<Parser, Value, Out>,
    emit: (value: Out) => void,
  ) {
    super();
    this.parser = parser;
    this.view = view;
    this.atEnd = atEnd;
    this.emit = emit;
  }

  next(chunk: Chunk): void {
    const text = this.read(chunk);
    if (text === "") return;
    const { parser } = this;
    try {
      parser.write(text);
    } catch (error) {
      throw this.failure(error);
    }
    this.view.show(parser, this.emit, text.length);
  }

  end(): void | Promise<void> {
    const { parser, finishReason, atEnd } = this;
    try {
      parser.end({ truncated: stoppedEarly(finishReason) });
    } catch (error) {
      throw this.failure(error);
    }
    this.showLast();
    return atEnd.finish(atEnd.valueOf(parser, finishReason), finishReason, this.emit);
  }

  private failure(error: unknown): unknown {
    this.showLast();
    return this.atEnd.errorOf(error, this.finishReason, this.parser);
  }

  private showLast(): void {
    const { parser, view, emit } = this;
    view.show(parser, emit, 0);
    view.close?.(parser, emit);
  }
}

/** Reads a whole output. */
export function readOutput<Parser extends TextParser, Value>(
  parser: Parser,
  end: ParserEnd<Parser, Value>,
  output: Output,
): { readonly value: Value; readonly finishReason: FinishReason | undefined } {
  const { text, finishReason } = textOfOutput(output);
  try {
    parser.write(text);
    parser.end({ truncated: stoppedEarly(finishReason) });
  } catch (error) {
    throw end.errorOf(error, finishReason, parser);
  }
  return { value: end.valueOf(parser, finishReason), finishReason };
}
