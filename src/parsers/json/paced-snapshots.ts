import type { JsonValue } from "../../json/value.js";
import { snapshots } from "../views.js";
import type { JsonView } from "./json-stage.js";

/**
 * Emits snapshots at a pace at which their cost is linear in the text. A snapshot copies the open objects, so one for
 * each chunk takes quadratic time for an object with thousands of members. Characters and chunks are counted, not time:
 * the same chunks always give the same snapshots.
 */
export function pacedSnapshots(): JsonView<JsonValue> {
  const all = snapshots<JsonValue>();
  /** What was read since the last snapshot, in characters. */
  let read = 0;
  return {
    show(parser, emit, characters) {
      read += characters + charactersPerChunk;
      const { openMembers } = parser;
      if (openMembers > maxUnpaced && read < openMembers * charactersPerMember) return;
      read = 0;
      all.show(parser, emit);
    },
    close: (parser, emit) => all.show(parser, emit),
  };
}

/** Up to so many members in the open containers, a snapshot is taken after each chunk. */
const maxUnpaced = 128;
/**
 * To copy a member takes 100 ns and 130 bytes, as long as to read 10 characters. With this pace, a snapshot for each 64
 * characters of 1 MB of orders is 0.3 times as fast as jsonriver, which copies nothing (`npm run bench regimes`).
 */
const charactersPerMember = 2.5;
/** A chunk takes as long as so many characters. A reader of tokens, whose chunks are short, waits less. */
const charactersPerChunk = 12;
