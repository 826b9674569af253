import type { CallOutput } from "./call-output.js";
import type { CallContext, CallReader } from "./call-reader.js";

/** The output of calls that may turn out to be text. */
export interface Fork {
  readonly output: CallOutput;
  /** Whether they begin in the middle of a line. More text on that line makes them a mention. */
  readonly isInLine: boolean;
  /** Whether the text before them says that they are an example. */
  readonly isExample: boolean;
  /** The number of back quotes that opened a code span on an earlier line. Its end makes them a mention. */
  readonly span: number;
}

/** The place after a call, where its closing tag, another call, or text may be. */
export interface AfterCall {
  readonly context: CallContext;
  fork: Fork | undefined;
  /** The text of the calls. */
  held: string;
  /** The white space since the call or its closing tag. */
  space: string;
  /** Whether a line has ended since. */
  isNewLine: boolean;
  /** Whether its closing tag was there. Only others may follow. */
  isClosed: boolean;
  /** False if it turned out to be text. */
  wasCall: boolean;
}

/** A call, or what may be one, that is being read. */
export interface OpenReader {
  readonly reader: CallReader;
  readonly context: CallContext;
  readonly fork: Fork | undefined;
  /** The text so far, shown if it is not a call. */
  held: string;
  /** How much of it is of the calls before. */
  before: number;
  /** The number of characters that the reader has read. */
  read: number;
  hasBegun: boolean;
  /** Whether the calls are not text, although they are in the middle of a line. */
  isSettled: boolean;
}

export function openReader(reader: CallReader, context: CallContext, held = "", fork?: Fork): OpenReader {
  return { reader, context, fork, held, before: 0, read: 0, hasBegun: false, isSettled: false };
}

/** The maximum length of text after a call in which a back quote ends a code span. */
const maxSpan = 2_000;
const emptyLine = /\n[ \t]*\r?\n/;

/** Whether the text after a call ends the code span that was open before it. */
export function isInSpan({ fork, space }: AfterCall, rest: string, isEnd: boolean): boolean | "undecided" {
  if (fork === undefined || fork.span === 0 || emptyLine.test(space)) return false;
  const text = rest.slice(0, maxSpan);
  const end = text.search(emptyLine);
  const isWhole = isEnd || end >= 0 || text.length === maxSpan;
  const runs = text.slice(0, end < 0 ? undefined : end).match(isWhole ? /`+/g : /`+(?!`|$)/g) ?? [];
  return runs.some(({ length }) => length === fork.span) || (!isWhole && "undecided");
}
