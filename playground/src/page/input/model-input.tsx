import type { ReactNode } from "react";
import type { Format, Provider } from "../../protocol.js";
import { Field } from "./field.js";
import { type Input, withAnswer } from "./use-input.js";

interface ModelInputProps {
  readonly input: Input;
  readonly providers: readonly Provider[];
}

export function ModelInput({ input, providers }: ModelInputProps): ReactNode {
  const { model, prompt, formats } = input.state;
  const provider = providers.find(({ name }) => model.startsWith(`${name}:`));
  return (
    <>
      <Field label="Model" note="provider:model">
        <input
          className="code"
          list="models"
          spellCheck={false}
          value={model}
          onChange={(event) => input.change({ model: event.target.value })}
        />
      </Field>
      <datalist id="models">
        {providers.map(({ example }) => (
          <option key={example}>{example}</option>
        ))}
      </datalist>
      <ul className="providers">
        {providers.map(({ name, example, missing }) => (
          <li key={name}>
            <button
              type="button"
              className="chip"
              aria-pressed={provider?.name === name}
              onClick={() => input.change({ model: example })}
            >
              <span className={missing === undefined ? "dot ready" : "dot"} />
              {name}
              <span className="sr">{missing === undefined ? ", ready" : ", not configured"}</span>
            </button>
          </li>
        ))}
      </ul>
      <Field label="Answer">
        <select
          value={formats.model}
          onChange={(event) => input.change(withAnswer(input.state, event.target.value as Format))}
        >
          <option value="json">A document</option>
          <option value="spec">A dashboard, line by line</option>
        </select>
      </Field>
      <Field label="Prompt" grow>
        <textarea
          rows={5}
          value={prompt}
          onChange={(event) => input.change({ prompt: event.target.value })}
        />
      </Field>
      <p className={provider?.missing === undefined ? "hint" : "hint warn"}>
        {provider?.missing ?? "The API key stays on the server."}
      </p>
    </>
  );
}
