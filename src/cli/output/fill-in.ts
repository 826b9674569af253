import type { JsonPatch } from "../../json/patch/patch.js";
import type { GrowingValue } from "../../json/patch/growing-value.js";
import type { JsonRepair } from "../../json/repair.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { pipe } from "../../stream/pipe.js";
import { tap } from "../../stream/operators/tap.js";
import { throttle } from "../../stream/operators/throttle.js";
import type { Io } from "../terminal/io.js";
import { columnsOf, LiveView } from "../terminal/live-view.js";
import { counted } from "../../text/counts.js";
import { parserFor } from "./parser-for.js";
import { progressSoFar, renderValue } from "../terminal/render-value.js";
import { type Styles, stylesFor } from "../terminal/styles.js";
import type { Tally } from "../terminal/tally.js";
import { clip } from "../terminal/text-layout.js";

/** A document that a model is writing, and its state so far. */
export interface Writing {
  readonly chunks: AsyncIterable<MessageChunk>;
  readonly schema: JsonObject | undefined;
  /** The current value; each patch is applied to it. */
  readonly document: GrowingValue;
  readonly tally: Tally;
  /** Repairs, reported after the live view has closed. */
  readonly repairs: JsonRepair[];
}

/** Parses the stream into patches and applies each to `document`, as an application would. Yields the patches. */
export function follow({ chunks, schema, document, tally, repairs }: Writing): AsyncIterable<JsonPatch> {
  return pipe(
    chunks,
    tap(() => {
      tally.chunks++;
    }),
    parserFor(schema, { append: true, nullAsAbsent: true, onRepair: (repair) => repairs.push(repair) })
      .patches,
    tap((patch) => {
      tally.add(patch, document.expand(patch), document.value as JsonValue);
    }),
  );
}

/**
 * Shows a document on a terminal while it is written, updating in place. The complete document then replaces the live
 * view. After an error the last frame stays on the screen.
 *
 * @param title the line above the document
 */
export async function fillIn(writing: Writing, title: string, io: Io): Promise<void> {
  const { document } = writing;
  const styles = stylesFor(io.stdout, io.env);
  const view = new LiveView(io.stdout);
  try {
    const frame = (columns: number, rows: number): string[] =>
      frameOf(writing, { title, width: columns, rows, styles });
    view.show(frame);
    for await (const _patch of pipe(follow(writing), throttle(frameInterval))) view.show(frame);
    view.clear();
    const width = columnsOf(io.stdout);
    const lines = renderValue(document.value, { width, styles, progress: "complete" });
    io.stdout.write(`${[titleLine(title, width, styles), "", ...lines].join("\n")}\n`);
  } finally {
    view.close();
  }
}

/** 30 frames per second: looks smooth, and leaves most of the time for parsing. */
const frameInterval = 33;

interface Screen {
  readonly title: string;
  readonly width: number;
  readonly rows: number;
  readonly styles: Styles;
}

/** Title, end of the value, and counts. A screen with fewer than 8 rows shows only the value. */
function frameOf({ document, tally }: Writing, { title, width, rows, styles }: Screen): string[] {
  const around = rows >= 8;
  const room = around ? rows - 4 : rows;
  const { value } = document;
  let lines = renderValue(value, { width, styles, progress: progressSoFar(value), last: room + 1 });
  if (lines.length > room) lines = [styles.faint("⋮"), ...lines.slice(1 - room)];
  if (!around) return lines.slice(-rows);
  const status = `${counted(tally.chunks, "chunk")} · ${counted(tally.patches, "patch", "patches")}`;
  return [titleLine(title, width, styles), "", ...lines, "", styles.faint(clip(status, width))];
}

function titleLine(title: string, width: number, styles: Styles): string {
  return styles.faint(clip(title, width));
}
