import type { JsonObject } from "millrace/json";
import type { AppFile } from "./app-file.js";
import { nameText, zodText } from "./schema-text.js";

/** Writes a catalogue, a route and a page for an interface that a model writes line by line. */
export function codeOfSpec(components: JsonObject | undefined, model: string, prompt: string): AppFile[] {
  return [
    { name: "catalogue.ts", code: catalogueFile(components ?? {}) },
    { name: "server.ts", code: serverFile(model, components !== undefined) },
    { name: "page.tsx", code: pageFile(prompt) },
  ];
}

function catalogueFile(components: JsonObject): string {
  const schemas = Object.entries(components).map(
    ([name, schema]) => `    ${nameText(name)}: ${zodText(schema, "    ")},\n`,
  );
  return `${schemas.length === 0 ? "" : 'import { z } from "zod";\n\n'}// For each component the schema of its props.
export const catalogue = {
  components: {
${schemas.join("")}  },
};
`;
}

function serverFile(model: string, isChecked: boolean): string {
  return `import { initModel, pipe } from "millrace";
import { memoryLog, runHandler, type StreamLog, toEventStream } from "millrace/serve";
import { fromSpecStream } from "millrace/ui";
${isChecked ? 'import { catalogue } from "./catalogue.js";\n' : ""}
const spec = fromSpecStream({
  append: true,${isChecked ? "\n  catalogue," : ""}
  // A bad line is taken back and reported here. The other lines are applied.
  onLineError: (error) => console.warn(error.message),
});

// One log for the process, also when a development server reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

// POST starts a run, GET resumes it, DELETE stops it.
const handle = runHandler(
  async (input, run) => {
    const model = await initModel(${JSON.stringify(model)});
    const answer = model.stream(\`\${String(input)}\\n\\n\${spec.instructions}\`);
    return toEventStream(pipe(answer, spec.patches), run);
  },
  { log },
);

export { handle as GET, handle as POST, handle as DELETE };
`;
}

function pageFile(prompt: string): string {
  return `import { createObjectStore } from "millrace/client";
import { Streamed } from "millrace/react";
import { memo } from "react";

interface Spec {
  root: string;
  elements: Record<string, { type: string; props: Record<string, unknown>; children: string[] }>;
}

const prompt = ${JSON.stringify(prompt)};
const store = createObjectStore<Spec>({ api: "/api/answer" });

export function Page() {
  return (
    <main>
      <button onClick={() => store.submit(prompt)}>Ask</button>
      <button onClick={store.stop}>Stop</button>
      <Streamed of={store.select("/root")}>{(root) => <Part name={root} />}</Streamed>
    </main>
  );
}

// Renders again only when its own element has changed. Put your components here.
const Part = memo(({ name }: { name: string }) => (
  <Streamed
    of={store.select(\`/elements/\${name.replaceAll("~", "~0").replaceAll("/", "~1")}\`)}
    pending={<p>…</p>}
  >
    {({ type, props, children = [] }, isComplete) => (
      <section aria-busy={!isComplete}>
        <h2>{type}</h2>
        <pre>{JSON.stringify(props, null, 2)}</pre>
        {children.map((child) => (
          <Part key={child} name={child} />
        ))}
      </section>
    )}
  </Streamed>
));
`;
}
