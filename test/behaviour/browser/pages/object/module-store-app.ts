import { createPatchStore } from "millrace/client";
import { useObject } from "millrace/react";
import { createElement, type ReactNode } from "react";

const store = createPatchStore<{ title: string }>();
store.apply([{ op: "replace", path: "", value: { title: "Soup" } }]);

/** Shows a store that its module has filled, on the server as well as in the browser. */
export function Page(): ReactNode {
  const { value, status } = useObject(store);
  return createElement("h1", null, value?.title ?? status);
}
