import { type Component, defineComponent, h, onMounted, onUnmounted, shallowRef, type VNode } from "vue";

/** The answer of a model, with its mistakes: prose, a fence, single quotes, a comment and a trailing comma. */
const answer = `Sure! Here is your recipe:

\`\`\`json
{
  "title": 'Green tea',
  "minutes": 10, // with the water
  "vegetarian": True,
  "steps": [
    "Warm the pot.",
    "Let the water cool to 80 °C.",
    "Pour, and wait for three minutes.",
  ]
}
\`\`\``;

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
  readonly repairs: number;
  readonly done: boolean;
}

const nothing: Shown = { text: "", recipe: {}, chunks: 0, repairs: 0, done: false };

/** The text of a model, and what the parser of the library makes of it, chunk by chunk. */
export const LiveDemo: Component = defineComponent(() => {
  const shown = shallowRef(nothing);
  let timer: ReturnType<typeof setInterval> | undefined;
  const play = async (): Promise<void> => {
    clearInterval(timer);
    // Loaded on this page only.
    const { extract, JsonParser, repair } = await import("../../../src/json/index.js");
    let repairs = 0;
    const parser = new JsonParser({ extract, repair, onRepair: () => repairs++ });
    let at = 0;
    let chunks = 0;
    const pass = (): void => {
      // 2 to 6 characters, as tokens are.
      const chunk = answer.slice(at, at + 2 + ((at * 7) % 5));
      at += chunk.length;
      chunks++;
      parser.write(chunk);
      const done = at >= answer.length;
      if (done) parser.end();
      const recipe = (parser.snapshot() ?? {}) as Recipe;
      shown.value = { text: answer.slice(0, at), recipe, chunks, repairs, done };
      if (done) clearInterval(timer);
    };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) while (at < answer.length) pass();
    else timer = setInterval(pass, 55);
  };
  onMounted(() => void play());
  onUnmounted(() => clearInterval(timer));
  return () => view(shown.value, () => void play());
});

function view({ text, recipe, chunks, repairs, done }: Shown, play: () => void): VNode {
  const { title, minutes, vegetarian, steps = [] } = recipe;
  const caret = done ? "" : h("span", { class: "caret" });
  return h("figure", { class: "live-demo", "aria-label": "A demo of the parser" }, [
    h("figcaption", [
      h("span", "A model writes"),
      h("button", { type: "button", onClick: play }, "Play again"),
    ]),
    h("pre", { "aria-hidden": "true" }, h("code", [text, caret])),
    h("div", { class: "live-label" }, "Your page shows"),
    h("div", { class: "live-card" }, [
      h("strong", title ?? ""),
      h("p", [
        minutes !== undefined && h("span", `${minutes} minutes`),
        vegetarian !== undefined && h("span", vegetarian ? "vegetarian" : "not vegetarian"),
      ]),
      h(
        "ol",
        steps.map((step, i) => h("li", { key: i }, step)),
      ),
    ]),
    h("p", { class: "live-counts" }, `${chunks} chunks · ${repairs} repairs`),
  ]);
}
