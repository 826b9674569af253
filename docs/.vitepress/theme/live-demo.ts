import {
  type Component,
  defineComponent,
  h,
  onMounted,
  onUnmounted,
  ref,
  shallowRef,
  type VNode,
  watchEffect,
} from "vue";
import type * as Json from "../../../src/json/index.js";

/** The answer of a model, with its mistakes. */
const answer = `Sure! Here is your recipe:

\`\`\`json
{
  "title": 'Green tea',
  "minutes": 10, // or so
  "vegetarian": True,
  "steps": [
    "Warm the pot.",
    "Let the water cool to 80 °C.",
    "Pour, and wait.",
  ]
}
\`\`\``;

/** The name of each mistake in the answer, and its characters, found from where the parser reports its repair. */
const mistakes: Readonly<Record<string, readonly [name: string, at: (offset: number) => Range]>> = {
  quote: ["single quotes", (offset) => [offset, answer.indexOf("'", offset + 1) + 1]],
  comment: ["a comment", (offset) => [offset, answer.indexOf("\n", offset)]],
  literal: ["Python's True", (offset) => [offset, answer.indexOf(",", offset)]],
  trailing_comma: ["one comma too many", (offset) => [answer.lastIndexOf(",", offset), offset]],
};

type Range = readonly [from: number, to: number];

interface Recipe {
  readonly title?: string;
  readonly minutes?: number;
  readonly vegetarian?: boolean;
  readonly steps?: readonly string[];
}

interface Shown {
  readonly text: string;
  readonly recipe: Recipe;
  readonly chunks: number;
  readonly repairs: readonly Json.JsonRepair[];
}

const nothing: Shown = { text: "", recipe: {}, chunks: 0, repairs: [] };

/** In milliseconds. */
const pauseAfter = { chunk: 55, end: 4_000 };

/**
 * The text of a model, and what the parser of the library makes of it, chunk by chunk. It runs while it is on the
 * screen, and begins again after its end.
 */
export const LiveDemo: Component = defineComponent(() => {
  const figure = ref<HTMLElement>();
  const shown = shallowRef(nothing);
  const seen = ref(false);
  const wanted = ref(true);
  let json: typeof Json | undefined;
  let steps: Iterator<Shown, undefined> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let observer: IntersectionObserver | undefined;

  const step = (): boolean => {
    if (json === undefined) return false;
    steps ??= stepsOf(json);
    const { value } = steps.next();
    if (value === undefined) steps = undefined;
    else shown.value = value;
    return value !== undefined;
  };
  const run = (): void => {
    timer = setTimeout(run, step() ? pauseAfter.chunk : pauseAfter.end);
  };
  onMounted(async () => {
    // Loaded on this page only.
    json = await import("../../../src/json/index.js");
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      wanted.value = false;
      while (step());
    }
    observer = new IntersectionObserver((changes) => (seen.value = changes.at(-1)?.isIntersecting === true));
    if (figure.value !== undefined) observer.observe(figure.value);
  });
  watchEffect(() => {
    clearTimeout(timer);
    if (seen.value && wanted.value) run();
  });
  onUnmounted(() => {
    observer?.disconnect();
    clearTimeout(timer);
  });

  const toggle = (): void => void (wanted.value = !wanted.value);
  return () =>
    h("figure", { ref: figure, class: "live-demo", "aria-label": "A demo of the parser" }, [
      h("figcaption", [
        h("span", "A model writes"),
        h("button", { type: "button", onClick: toggle }, wanted.value ? "Pause" : "Play"),
      ]),
      h("pre", { "aria-hidden": "true" }, h("code", linesOf(shown.value))),
      h("div", { class: "live-label" }, "Your page shows"),
      card(shown.value.recipe),
      h(
        "p",
        { class: "live-counts" },
        `${shown.value.chunks} chunks · ${shown.value.repairs.length} repairs`,
      ),
    ]);
});

/** The states of the demo, one after each chunk of 2 to 6 characters, as long as tokens. */
function* stepsOf({ extract, JsonParser, repair }: typeof Json): Generator<Shown, undefined> {
  let repairs: readonly Json.JsonRepair[] = [];
  const parser = new JsonParser({ extract, repair, onRepair: (it) => (repairs = [...repairs, it]) });
  let chunks = 0;
  for (let at = 0; at < answer.length;) {
    const chunk = answer.slice(at, at + 2 + ((at * 7) % 5));
    at += chunk.length;
    parser.write(chunk);
    if (at === answer.length) parser.end();
    const recipe = (parser.snapshot() ?? {}) as Recipe;
    yield { text: answer.slice(0, at), recipe, chunks: ++chunks, repairs };
  }
}

/** The lines of the text. Each repaired mistake is marked, and named at the end of its line. */
function linesOf({ text, repairs }: Shown): VNode[] {
  const found = repairs.flatMap(({ kind, offset }) => {
    const [name, at] = mistakes[kind] ?? [];
    return name === undefined || at === undefined ? [] : [{ name, range: at(offset) }];
  });
  let begin = 0;
  return text.split("\n").map((line, index, { length }) => {
    const start = begin;
    begin += line.length + 1;
    const caret = index === length - 1 && text !== answer ? h("span", { class: "caret" }) : "";
    const mistake = found.find(({ range: [from] }) => from >= start && from < begin);
    if (mistake === undefined) return h("div", [line, caret]);
    const [from, to] = mistake.range.map((at) => at - start) as [number, number];
    return h("div", [
      line.slice(0, from),
      h("mark", line.slice(from, to)),
      line.slice(to),
      caret,
      h("small", ` ← ${mistake.name}`),
    ]);
  });
}

function card({ title, minutes, vegetarian, steps = [] }: Recipe): VNode {
  return h("div", { class: "live-card" }, [
    h("strong", title ?? ""),
    h("p", [
      minutes !== undefined && h("span", `${minutes} minutes`),
      vegetarian !== undefined && h("span", vegetarian ? "vegetarian" : "not vegetarian"),
    ]),
    h(
      "ol",
      steps.map((step, i) => h("li", { key: i }, step)),
    ),
  ]);
}
