import Recipe from "docs:svelte";
import { mount, unmount } from "svelte";
import { show } from "./show.js";

show((store, target) => {
  const component = mount(Recipe, { target, props: { store } });
  return () => unmount(component);
});
