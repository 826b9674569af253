import { useObject } from "millrace/vue";
import { defineComponent, h, onUpdated, ref } from "vue";
import { names, recipe, shown, summary } from "./page.js";

const Recipe = defineComponent({
  props: { name: { type: String, required: true } },
  setup({ name }) {
    const { object, submit, stop, clear, status, error, progress } = useObject({
      api: "/runs",
      schema: recipe,
    });
    const dish = ref("");
    onUpdated(() => shown(name));
    const onInput = ({ target }: Event): void => {
      dish.value = (target as HTMLInputElement).value;
    };
    return () =>
      h("section", { id: name }, [
        h("input", { onInput }),
        h("button", { class: "write", onClick: () => submit({ dish: dish.value }) }, "Write"),
        h("button", { class: "stop", onClick: stop }, "Stop"),
        h("button", { class: "clear", onClick: clear }, "Clear"),
        h("h1", object.value?.title),
        h(
          "ol",
          object.value?.steps?.map((step) => h("li", step)),
        ),
        h("p", error.value?.message),
        h("output", summary({ status: status.value, error: error.value, progress: progress.value })),
      ]);
  },
});

export const App = defineComponent({
  setup() {
    const shownNames = ref<readonly string[]>(names);
    const leave = (): void => {
      shownNames.value = ["b"];
    };
    return () => [
      ...shownNames.value.map((name) => h(Recipe, { key: name, name })),
      h("button", { id: "leave", onClick: leave }, "Leave"),
    ];
  },
});
