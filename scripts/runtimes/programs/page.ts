/** Run by a browser: reads a run into a store, and says in its title what came. */
import { createPatchStore } from "millrace/client";

const store = createPatchStore({ schedule: (show) => show() });
let changes = 0;
store.subscribe(() => changes++);
await store.connect("/run");
const { value, status, error } = store.getState();
document.title = JSON.stringify({ value, status, changes: changes >= 4, error });
