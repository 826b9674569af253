import { useStore } from "docs:vue";
import { computed, createApp, h, type VNode } from "vue";
import { rendered } from "./probe.js";
import { show } from "./show.js";

show((store, into) => {
  const app = createApp({
    setup() {
      const state = useStore(store);
      const title = computed(() => state.value.value?.title);
      const Title = (): VNode => {
        rendered("title");
        return h("h1", title.value);
      };
      return () => [h(Title), h("output", state.value.status)];
    },
  });
  app.mount(into);
  return () => app.unmount();
});
