import { count, size } from "../../terminal/numbers.js";
import type { Styles } from "../../terminal/styles.js";
import type { Tally } from "../../terminal/tally.js";

/** The lines below the finished value: the schema check passed, and how many bytes patches and snapshots take. */
export function summary(tally: Tally, styles: Styles): string[] {
  const { chunks, patches, patchBytes, appendBytes, snapshotBytes } = tally;
  const times = (bytes: number): string =>
    bytes === 0 ? "" : styles.faint(`1/${count(Math.round(snapshotBytes / bytes))}`);
  const rows: [name: string, figure: string, remark: string][] = [
    ["chunks from the model", count(chunks), ""],
    ["patches", count(patches), ""],
    ["bytes as whole snapshots", size(snapshotBytes), ""],
    ["bytes as patches", size(patchBytes), times(patchBytes)],
    ["bytes as patches with append", size(appendBytes), times(appendBytes)],
  ];
  const widest = Math.max(...rows.map(([, figure]) => figure.length));
  return [
    styles.good("✓ satisfies the schema"),
    "",
    ...rows.map(([name, figure, remark]) =>
      `  ${styles.faint(name.padEnd(30))}${figure.padStart(widest)}  ${remark}`.trimEnd(),
    ),
  ];
}
