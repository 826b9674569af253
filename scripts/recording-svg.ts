/** What a terminal shows from a moment on: its lines, with escape codes for colours. */
export interface Frame {
  /** In milliseconds. */
  readonly at: number;
  readonly lines: readonly string[];
}

const lineHeight = 19;
const charWidth = 8;
const padding = 16;
/** How long the last frame stays, in milliseconds, before the picture begins again. */
const rest = 4000;

/**
 * A picture that plays the frames for ever. It is light or dark like the page's reader, and shows the last frame to
 * readers who want no motion. Each text of a line is one element, visible while the line had this text.
 */
export function recordingSvg(frames: readonly Frame[], columns: number): string {
  const first = frames.findIndex(({ lines }) => lines.some((line) => line !== ""));
  const start = frames[first]?.at ?? 0;
  const total = (frames.at(-1)?.at ?? 0) - start + rest;
  const shown = frames.slice(first).map(({ at, lines }) => ({ at: (at - start) / total, lines }));
  const height = Math.max(...shown.map(({ lines }) => lines.length));
  const texts: string[] = [];
  const rules: string[] = [];
  for (let row = 0; row < height; row += 1) {
    for (const { text, from, to } of intervals(shown, row)) {
      const name = `t${texts.length}`;
      const y = padding + lineHeight * (row + 0.75);
      texts.push(`<text id="${name}" y="${y}"${to < 1 ? ' class="h"' : ""}>${spansOf(text)}</text>`);
      rules.push(
        `@keyframes ${name}{0%{opacity:${from === 0 ? 1 : 0}}${percent(from)}{opacity:1}${to < 1 ? `${percent(to)}{opacity:0}` : ""}}#${name}{animation-name:${name}}`,
      );
    }
  }
  const width = columns * charWidth + 2 * padding;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height * lineHeight + 2 * padding}">
<title>npm start: a recipe fills in, field by field, while a model writes it</title>
<style>
svg{color-scheme:light dark;--page:#fbfaf7;--ink:#22302f;--edge:#d9d4c8;--faint:#66716f;--cyan:#0b6e75;--yellow:#8a5a00;--magenta:#8b3a86;--green:#2c6e33;--red:#b3261e}
@media (prefers-color-scheme:dark){svg{--page:#101b1c;--ink:#e6ece9;--edge:#2c3b3c;--faint:#93a19e;--cyan:#5fd0d6;--yellow:#e2b64d;--magenta:#d89ad2;--green:#7fc98a;--red:#ff8a80}}
rect{fill:var(--page);stroke:var(--edge)}
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink);white-space:pre;animation:${Math.round(total)}ms step-end infinite}
.f{fill:var(--faint)}.c{fill:var(--cyan)}.y{fill:var(--yellow)}.m{fill:var(--magenta)}.g{fill:var(--green)}.r{fill:var(--red)}.b{font-weight:600}.h{opacity:0}
${rules.join("\n")}
@media (prefers-reduced-motion:reduce){text{animation:none!important}}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height * lineHeight + 2 * padding - 1}" rx="10"/>
<g transform="translate(${padding})">
${texts.join("\n")}
</g>
</svg>
`;
}

interface Interval {
  readonly text: string;
  /** Shares of the whole time. */
  readonly from: number;
  readonly to: number;
}

function intervals(frames: readonly Frame[], row: number): readonly Interval[] {
  const found: { text: string; from: number; to: number }[] = [];
  for (const { at, lines } of frames) {
    const text = lines[row] ?? "";
    const before = found.at(-1);
    if (before?.text === text) continue;
    if (before !== undefined) before.to = at;
    found.push({ text, from: at, to: 1 });
  }
  return found.filter(({ text }) => text !== "");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** The classes of the escape codes that the command uses. */
const classOf: Readonly<Record<string, string>> = {
  "1": "b",
  "2": "f",
  "31": "r",
  "32": "g",
  "33": "y",
  "35": "m",
  "36": "c",
};

function spansOf(line: string): string {
  let classes: readonly string[] = [];
  let spans = "";
  // The pieces at odd places are the codes.
  for (const [at, piece] of line.split(/\u001b\[([\d;]*)m/).entries()) {
    if (at % 2 === 0) spans += spanOf(piece, classes);
    else classes = piece.split(";").reduce(withCode, classes);
  }
  return spans;
}

/** The classes after a code: 39 ends the colour, 0 ends all. */
function withCode(classes: readonly string[], code: string): readonly string[] {
  if (code === "0" || code === "") return [];
  if (code === "39") return classes.filter((name) => name === "b" || name === "f");
  const name = classOf[code];
  return name === undefined ? classes : [...classes, name];
}

function spanOf(text: string, classes: readonly string[]): string {
  if (text === "") return "";
  const written = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return classes.length === 0 ? written : `<tspan class="${classes.join(" ")}">${written}</tspan>`;
}
