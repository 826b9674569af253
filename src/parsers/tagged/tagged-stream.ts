import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { noop } from "../../stream/core/result.js";
import type { Operator } from "../../stream/operator.js";
import type { Chunk } from "../output-parser.js";
import { contentOfTag, TaggedContent } from "./tagged-content.js";
import { tagParserError, type TagRules } from "./tagged-rules.js";

/** A value that the parser of a tag yielded. */
export interface AnyTaggedPart {
  readonly tag: string;
  readonly value: unknown;
}

/**
 * Reads the content of each tag with its own operator. The source is pulled only when the operator of the open tag asks
 * for more, and each value is yielded before the next one is pulled.
 */
export function taggedStream(
  streams: ReadonlyMap<string, Operator<Chunk, unknown>>,
  rules: TagRules,
): Operator<Chunk, AnyTaggedPart> {
  return (source) => ({
    [Symbol.asyncIterator]() {
      const open: OpenTags = { content: new TaggedContent(source, [...streams.keys()]), isOver: false };
      const parts = readParts(open, streams, rules);
      return forwardingIterator(() => parts, { close: () => close(open) });
    },
  });
}

interface OpenTags {
  readonly content: TaggedContent;
  /** The iterator that reads the open tag. */
  inner?: AsyncIterator<unknown> | undefined;
  /** Whether the output has ended, or was closed. */
  isOver: boolean;
}

async function* readParts(
  open: OpenTags,
  streams: ReadonlyMap<string, Operator<Chunk, unknown>>,
  rules: TagRules,
): AsyncGenerator<AnyTaggedPart, undefined, undefined> {
  const { content } = open;
  const seen = new Set<string>();
  let tag: string | undefined;
  try {
    for (;;) {
      const last = tag;
      tag = await content.nextTag();
      if (open.isOver) return;
      const { finishReason } = content;
      if (tag === undefined) {
        rules.checkEnd(seen, content.truncated ? last : undefined, { finishReason });
        open.isOver = true;
        return;
      }
      if (seen.has(tag)) {
        rules.checkRepeated(tag, { finishReason });
        continue;
      }
      seen.add(tag);
      const operator = streams.get(tag) as Operator<Chunk, unknown>;
      const inner = operator(contentOfTag(content))[Symbol.asyncIterator]();
      open.inner = inner;
      while (!open.isOver) {
        const result = await nextOf(inner, tag, content);
        if (result.done === true || open.isOver) break;
        yield { tag, value: result.value };
      }
      open.inner = undefined;
    }
  } catch (error) {
    if (open.isOver) return; // closed during the wait
    open.inner = undefined;
    await close(open).catch(noop); // the first error is the one to report
    throw error;
  }
}

async function nextOf(
  inner: AsyncIterator<unknown>,
  tag: string,
  content: TaggedContent,
): Promise<IteratorResult<unknown>> {
  try {
    return await inner.next();
  } catch (error) {
    const { failure, finishReason } = content;
    if (failure !== undefined && failure.error === error) throw error;
    throw tagParserError(tag, error, { finishReason });
  }
}

/** Closes both at once, because one may wait for the other. */
async function close(open: OpenTags): Promise<void> {
  if (open.isOver) return;
  open.isOver = true;
  await Promise.all([open.inner?.return?.(), open.content.close()]);
}
