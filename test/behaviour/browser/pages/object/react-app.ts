import { useObject } from "millrace/react";
import { createElement as h, type ReactNode, StrictMode, useLayoutEffect, useState } from "react";
import { names, recipe, shown, summary } from "./page.js";

export function app(): ReactNode {
  return h(StrictMode, null, h(Page));
}

function Page(): ReactNode {
  const [shownNames, setNames] = useState<readonly string[]>(names);
  return [
    ...shownNames.map((name) => h(Recipe, { key: name, name })),
    h("button", { key: "leave", id: "leave", onClick: () => setNames(["b"]) }, "Leave"),
  ];
}

function Recipe({ name }: { readonly name: string }): ReactNode {
  const state = useObject({ api: "/runs", schema: recipe });
  const { object, submit, stop, clear, error } = state;
  const [dish, setDish] = useState("");
  useLayoutEffect(() => shown(name), [state]);
  return h(
    "section",
    { id: name },
    h("input", { value: dish, onChange: ({ target }) => setDish(target.value) }),
    h("button", { className: "write", onClick: () => submit({ dish }) }, "Write"),
    h("button", { className: "stop", onClick: stop }, "Stop"),
    h("button", { className: "clear", onClick: clear }, "Clear"),
    h("h1", null, object?.title),
    h(
      "ol",
      null,
      object?.steps?.map((step, index) => h("li", { key: index }, step)),
    ),
    h("p", null, error?.message),
    h("output", null, summary(state)),
  );
}
