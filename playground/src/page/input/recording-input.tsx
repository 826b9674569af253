import type { ReactNode } from "react";
import { Field } from "./field.js";
import { type Input, ownFile } from "./use-input.js";

interface RecordingInputProps {
  readonly input: Input;
  readonly recordings: readonly string[];
}

export function RecordingInput({ input, recordings }: RecordingInputProps): ReactNode {
  const { recording, file } = input.state;
  const take = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    input.change({ recording: ownFile, file: { name: chosen.name, text: await chosen.text() } });
  };
  return (
    <>
      {recordings.length > 0 && (
        <Field label="Recording" note={String(recordings.length)} grow>
          <select
            size={10}
            className="code"
            value={recording}
            onChange={(event) => input.change({ recording: event.target.value })}
          >
            {[...byFolder(recordings)].map(([folder, names]) => (
              <optgroup key={folder} label={folder}>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name.slice(folder.length + 1)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </Field>
      )}
      <Field label={recordings.length > 0 ? "Or upload a file" : "File"}>
        <input
          type="file"
          accept=".jsonl,.ndjson,.txt"
          onChange={({ target }) => void take(target.files?.[0])}
        />
      </Field>
      {recording === ownFile && file !== undefined && <p className="hint chosen">Selected: {file.name}</p>}
      <p className="hint">
        JSON Lines: the payloads of a provider (OpenAI, Anthropic, Gemini, Ollama), or a transcript of{" "}
        <code>record()</code>.
      </p>
    </>
  );
}

function byFolder(names: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const name of names) {
    const folder = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  return folders;
}
