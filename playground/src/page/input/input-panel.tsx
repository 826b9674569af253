import { type ReactNode, useEffect, useState } from "react";
import type { PlaygroundSetup } from "../../protocol.js";
import { Tabs } from "../tabs.js";
import { setup } from "../transport/api.js";
import { DocumentInput } from "./document-input.js";
import { ModelInput } from "./model-input.js";
import { RecordingInput } from "./recording-input.js";
import { SchemaField } from "./schema-input.js";
import type { Input, InputKind } from "./use-input.js";

const kinds: readonly (readonly [InputKind, string])[] = [
  ["document", "Document"],
  ["recording", "Recording"],
  ["model", "Model"],
];

interface InputPanelProps {
  readonly input: Input;
  readonly onStart: () => void;
  readonly refusal: string | undefined;
}

export function InputPanel({ input, onStart, refusal }: InputPanelProps): ReactNode {
  const [found, setFound] = useState<PlaygroundSetup>({ recordings: [], providers: [] });
  const { kind } = input.state;
  const { change } = input;
  useEffect(() => {
    setup().then(setFound, () => {}); // the first run reports the error
  }, []);
  return (
    <form
      className="panel input"
      aria-label="Input"
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <Tabs
        label="Where the text comes from"
        id="tab"
        tabs={kinds}
        shown={kind}
        onShow={(next) => change({ kind: next })}
        panelOf={() => "input-of-kind"}
      />
      <div id="input-of-kind" role="tabpanel" aria-labelledby={`tab-${kind}`} className="fields">
        {kind === "document" && <DocumentInput input={input} />}
        {kind === "recording" && <RecordingInput input={input} recordings={found.recordings} />}
        {kind === "model" && <ModelInput input={input} providers={found.providers} />}
      </div>
      <SchemaField input={input} />
      <footer className="input-end">
        {refusal !== undefined && (
          <p className="refusal" role="alert">
            {refusal}
          </p>
        )}
        <button type="submit" className="primary" aria-keyshortcuts="Control+Enter">
          Run <kbd>Ctrl ↵</kbd>
        </button>
      </footer>
    </form>
  );
}
