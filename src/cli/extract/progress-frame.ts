import { count } from "../../text/counts.js";
import type { Styles } from "../terminal/styles.js";
import { clip } from "../terminal/text-layout.js";
import type { ExtractProgress } from "./counts.js";

/** The lines of the progress: a bar, the speed, what it costs, and what failed. */
export function progressFrame(
  progress: ExtractProgress,
  { title, width, styles }: { readonly title: string; readonly width: number; readonly styles: Styles },
): string[] {
  const { done, total, failed, rate, eta, inputTokens, outputTokens, cost } = progress;
  const share = total === undefined || total === 0 ? undefined : Math.min(done / total, 1);
  const of = total === undefined ? "" : ` of ${count(total)}`;
  const documents = `${count(done)}${of} documents`;
  const speed = [`${rate.toFixed(1)} documents/s`, ...(eta === undefined ? [] : [`${duration(eta)} left`])];
  const spent = [
    ...(cost === undefined ? [] : [dollars(cost)]), // first, as a narrow terminal cuts the line
    `${count(inputTokens)} input tokens, ${count(outputTokens)} output tokens`,
  ];
  const bad = failed === 0 ? "" : styles.bad(` · ${count(failed)} failed`);
  return [
    styles.faint(clip(title, width)),
    share === undefined
      ? documents + bad
      : `${bar(share, width, styles)} ${percent(share)}  ${documents}${bad}`,
    clip(speed.join(" · "), width),
    styles.faint(clip(spent.join(" · "), width)),
    ...reasons("failed", progress.failures, width).map(styles.bad),
    ...reasons("sent again", progress.retries, width).map(styles.faint),
  ];
}

function reasons(what: string, counts: Readonly<Record<string, number>>, width: number): string[] {
  const shown = countsByReason(counts);
  return shown === "" ? [] : [clip(`${what}: ${shown}`, width)];
}

/** `http 12, schema 3` */
export function countsByReason(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, times]) => `${reason.replaceAll("_", " ")} ${count(times)}`)
    .join(", ");
}

function bar(share: number, width: number, styles: Styles): string {
  const cells = Math.max(Math.min(30, width - 50), 5);
  const full = Math.floor(share * cells);
  return styles.good("█".repeat(full)) + styles.faint("░".repeat(cells - full));
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`.padStart(5);
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}

/** `1:02:03`, or `2:03` below an hour. */
function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}
