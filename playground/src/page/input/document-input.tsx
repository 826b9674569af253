import type { ReactNode } from "react";
import { counted } from "../counts.js";
import { ChunkingInput } from "./chunking-input.js";
import { Field } from "./field.js";
import { samples } from "./samples.js";
import type { Input } from "./use-input.js";

export function DocumentInput({ input }: { readonly input: Input }): ReactNode {
  const { sample, text } = input.state;
  return (
    <>
      <Field label="Sample">
        <select value={sample} onChange={(event) => input.takeSample(event.target.value)}>
          {sample === "" && <option value="">Custom text</option>}
          {samples.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label="Text" note={counted(text.length, "character")} grow>
        <textarea
          id="text"
          className="code"
          spellCheck={false}
          rows={10}
          value={text}
          onChange={(event) => input.write(event.target.value)}
        />
      </Field>
      <ChunkingInput input={input} />
    </>
  );
}
