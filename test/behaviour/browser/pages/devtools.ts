import { createPatchStore, createDevtools } from "millrace/client";

const devtools = createDevtools({ currency: "€" });
const probe = devtools.stream("recipe", { report: (url) => `${url}/report` });
const store = createPatchStore<{ title: string }>();
store.subscribe(probe.rendered);
store.subscribe(({ status, value }) => {
  document.title = `${status} ${value?.title ?? ""}`;
});
Object.assign(globalThis, { closeDevtools: devtools.close });
void store.connect(`/runs/1`, probe.options);
