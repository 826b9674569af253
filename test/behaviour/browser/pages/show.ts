import { createPatchStore, type PatchStore } from "millrace/client";
import { probe } from "./probe.js";

export interface Titled {
  title: string;
}

/**
 * The page that each framework renders from `/events`: an `h1` with the title, an `output` with the status, and a
 * button that unmounts it.
 *
 * @param mount returns a function that unmounts
 */
export function show(mount: (store: PatchStore<Titled>, into: Element) => () => unknown): void {
  const store = createPatchStore<Titled>();
  const counted = Object.create(store, {
    subscribe: {
      value: (run: () => void) => {
        probe.subscribers++;
        const end = store.subscribe(run);
        return () => {
          probe.subscribers--;
          end();
        };
      },
    },
  }) as PatchStore<Titled>;
  const unmount = mount(counted, document.querySelector("main") as Element);
  const button = document.createElement("button");
  button.onclick = unmount;
  document.body.append(button);
  void store.connect("/events");
}
