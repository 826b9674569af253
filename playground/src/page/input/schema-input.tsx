import type { ReactNode } from "react";
import { Field } from "./field.js";
import type { Input } from "./use-input.js";

export function SchemaField({ input }: { readonly input: Input }): ReactNode {
  const { kind, schemas, formats, strict } = input.state;
  const isSpec = formats[kind] === "spec";
  const schema = schemas[kind];
  return (
    <details className="schema">
      <summary>
        Schema and rules
        <span className="field-note">
          {schema.trim() !== "" ? "JSON Schema" : isSpec ? "any component" : "any JSON"}
          {strict ? ", strict" : ""}
        </span>
      </summary>
      <Field
        label={isSpec ? "Components, with the JSON Schema of their props" : "JSON Schema"}
        note="optional"
      >
        <textarea
          className="code"
          rows={8}
          spellCheck={false}
          value={schema}
          onChange={(event) => input.change({ schemas: { ...schemas, [kind]: event.target.value } })}
        />
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={strict}
          onChange={(event) => input.change({ strict: event.target.checked })}
        />
        {isSpec ? "Strict: repair nothing" : "Strict: accept only JSON, without prose or repairs"}
      </label>
    </details>
  );
}
