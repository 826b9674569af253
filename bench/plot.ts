/** A plot of lines on two logarithmic axes, as SVG that reads on a light page and on a dark one. */
export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

export interface Axis {
  /** What it shows, with its unit. */
  readonly label: string;
  /** From the first to the last, which are its ends. */
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

export interface Series {
  readonly name: string;
  /** Ours are drawn stronger, and over the others. */
  readonly strong?: boolean;
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const width = 900;
const height = 520;
const area = { left: 96, right: 640, top: 48, bottom: 456 };
const legend = { left: area.right + 24, top: area.top + 14, step: 27 };

/** Told apart by hue and by mark, and of middling lightness: on white as on black. */
const hues = [
  "#d6336c",
  "#1c7ed6",
  "#2f9e44",
  "#e8590c",
  "#7048e8",
  "#0c8599",
  "#b08900",
  "#868e96",
  "#a9503b",
  "#5f8d00",
];
const marks: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="4"/>`,
  (x, y) => `<rect x="${round(x - 3.5)}" y="${round(y - 3.5)}" width="7" height="7"/>`,
  (x, y) => `<path d="M${x} ${round(y - 5)}l5 8.5h-10z"/>`,
  (x, y) => `<path d="M${x} ${round(y - 5)}l5 5l-5 5l-5 -5z"/>`,
];

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.paper { fill: #ffffff }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.line { fill: none; stroke-width: 1.6 }
.strong { stroke-width: 3.2 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .paper { fill: #0d1117 }
  .grid { stroke: #3d444d }
}
`;

export function svgOf({ title, x, y, series }: Plot): string {
  const toX = scaleOf(x, area.left, area.right);
  const toY = scaleOf(y, area.bottom, area.top);
  const lines = (strong: boolean): string[] =>
    series
      .map((it, i) => ((it.strong ?? false) === strong ? lineOf(it, i, toX, toY) : ""))
      .filter((it) => it !== "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}" rx="6"/>
<text class="title" x="${area.left}" y="28">${escaped(title)}</text>
${x.ticks.map((tick) => verticalAt(tick, toX(tick.at))).join("\n")}
${y.ticks.map((tick) => horizontalAt(tick, toY(tick.at))).join("\n")}
<text x="${(area.left + area.right) / 2}" y="${height - 20}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(24 ${(area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>
${[...lines(false), ...lines(true)].join("\n")}
${series.map(legendOf).join("\n")}
</svg>
`;
}

type Scale = (value: number) => number;

function scaleOf({ ticks }: Axis, from: number, to: number): Scale {
  const all = ticks.map(({ at }) => Math.log(at));
  const low = Math.min(...all);
  const high = Math.max(...all);
  return (value) => round(from + ((Math.log(value) - low) / (high - low)) * (to - from));
}

function verticalAt({ label }: Tick, x: number): string {
  const line = `<line class="grid" x1="${x}" y1="${area.top}" x2="${x}" y2="${area.bottom}"/>`;
  return `${line}<text x="${x}" y="${area.bottom + 18}" text-anchor="middle">${escaped(label)}</text>`;
}

function horizontalAt({ label }: Tick, y: number): string {
  const line = `<line class="grid" x1="${area.left}" y1="${y}" x2="${area.right}" y2="${y}"/>`;
  return `${line}<text x="${area.left - 8}" y="${round(y + 4.5)}" text-anchor="end">${escaped(label)}</text>`;
}

function lineOf({ strong, points }: Series, index: number, toX: Scale, toY: Scale): string {
  const places = points.map((point) => ({ x: toX(point.x), y: toY(point.y) }));
  const path = places.map((at) => `${at.x},${at.y}`).join(" ");
  const dots = places.map((at) => markOf(index, at)).join("");
  const hue = hueOf(index);
  return `<g stroke="${hue}" fill="${hue}"><polyline class="line${strong === true ? " strong" : ""}" points="${path}"/>${dots}</g>`;
}

function legendOf({ name, strong }: Series, index: number): string {
  const y = legend.top + index * legend.step;
  const hue = hueOf(index);
  const line = `<line class="line${strong === true ? " strong" : ""}" x1="${legend.left}" y1="${y}" x2="${legend.left + 30}" y2="${y}"/>`;
  const mark = markOf(index, { x: legend.left + 15, y });
  return `<g stroke="${hue}" fill="${hue}">${line}${mark}</g><text x="${legend.left + 40}" y="${y + 4.5}">${escaped(name)}</text>`;
}

function markOf(index: number, { x, y }: Point): string {
  const mark = marks[index % marks.length] as (x: number, y: number) => string;
  return mark(x, y);
}

function hueOf(index: number): string {
  return hues[index % hues.length] as string;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
