import type { JsonObject, JsonValue } from "millrace/json";
import { recipePrompt } from "../../recipe.js";
import { isContainer, isObject } from "../../tree.js";
import { dashboardPrompt } from "../input/dashboard-sample.js";
import type { InputState } from "../input/use-input.js";
import type { AppFile } from "./app-file.js";
import { codeOfSpec } from "./code-of-spec.js";
import { isName, schemaFrom, schemaProperties, type SchemaProperty, zodText } from "./schema-text.js";

/**
 * Writes a schema, a route for servers with web requests (Next, Hono, SvelteKit, Workers), and a page in React.
 *
 * @param value the document so far, whose schema is used if the form has none
 */
export function codeOf(
  { kind, schemas, formats, model, prompt, sample }: InputState,
  value: JsonValue | undefined,
): AppFile[] {
  const own = readSchema(schemas[kind]);
  const modelName = kind === "model" ? model : "openai:gpt-6.1-terra";
  if (formats[kind] === "spec")
    return codeOfSpec(own, modelName, kind === "model" ? prompt : dashboardPrompt);
  const schema = own ?? schemaFrom(value);
  const asked = kind === "model" || sample === "A recipe" ? prompt : "Write the document.";
  return [
    { name: "schema.ts", code: schemaFile(schema) },
    { name: "server.ts", code: serverFile(modelName) },
    { name: "page.tsx", code: pageFile(asked === "" ? recipePrompt : asked, schemaProperties(schema)) },
  ];
}

function readSchema(text: string): JsonObject | undefined {
  try {
    const schema = JSON.parse(text) as JsonValue;
    return isObject(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

function schemaFile(schema: JsonObject): string {
  return `import { z } from "zod";

export const schema = ${zodText(schema)};

export type ModelAnswer = z.infer<typeof schema>;
`;
}

function serverFile(model: string): string {
  return `import { streamObject } from "millrace";
import { memoryLog, runHandler, type StreamLog } from "millrace/serve";
import { schema } from "./schema.js";

// One log for the process, also when a development server reloads this module.
const kept = globalThis as { runs?: StreamLog };
const log = (kept.runs ??= memoryLog());

// POST starts a run, GET resumes it, DELETE stops it.
const handle = runHandler(
  (input, run) =>
    streamObject({
      model: ${JSON.stringify(model)},
      schema,
      prompt: String(input),
    }).toResponse(run),
  { log },
);

export { handle as GET, handle as POST, handle as DELETE };
`;
}

function pageFile(prompt: string, properties: readonly SchemaProperty[]): string {
  const shown =
    properties.length === 0
      ? ["<pre>{JSON.stringify(object, null, 2)}</pre>"]
      : properties.flatMap((property) => elementOf(property));
  return `import { useObject } from "millrace/react";
import type { ModelAnswer } from "./schema.js";

const prompt = ${JSON.stringify(prompt)};

export function Page() {
  const { object, submit, stop, status, error } = useObject<ModelAnswer>({
    api: "/api/answer",
  });
  return (
    <article>
      <button onClick={() => submit(prompt)}>Ask</button>
      <button onClick={stop} disabled={status !== "streaming"}>
        Stop
      </button>
${shown.map((line) => `      ${line}`).join("\n")}
      {error && <p role="alert">{error.message}</p>}
    </article>
  );
}
`;
}

function elementOf({ key, schema }: SchemaProperty): string[] {
  const at = isName(key) ? `object?.${key}` : `object?.[${JSON.stringify(key)}]`;
  const label = isName(key) ? `${key}: ` : `{${JSON.stringify(`${key}: `)}}`;
  const { type, items = {} } = schema;
  if (isPlain(schema)) {
    if (/^(title|name|product)$/.test(key)) return [`<h1>{${at}}</h1>`];
    return [type === "string" ? `<p>{${at}}</p>` : `<p>${label}{${at}}</p>`];
  }
  if (type === "array" && schema["enum"] === undefined) {
    const item = itemText(isObject(items) ? items : {});
    return [`<ul>`, `  {${at}?.map((item, index) => (`, `    <li key={index}>${item}</li>`, `  ))}`, `</ul>`];
  }
  if (type === "boolean") return [`<p>${label}{${at} ? "yes" : "no"}</p>`];
  return [`<p>${label}{JSON.stringify(${at})}</p>`];
}

function itemText(schema: JsonObject): string {
  const plain = schemaProperties(schema).filter(({ key, schema: child }) => isName(key) && isPlain(child));
  if (plain.length > 0) return plain.map(({ key }) => `{item?.${key}}`).join(" ");
  return isPlain(schema) ? "{item}" : "{JSON.stringify(item)}";
}

/** Whether React shows a value of the schema as it is. */
function isPlain({ type, enum: values }: JsonObject): boolean {
  if (Array.isArray(values)) return !values.some(isContainer);
  return [type]
    .flat()
    .every((one) => one === "string" || one === "number" || one === "integer" || one === "null");
}
