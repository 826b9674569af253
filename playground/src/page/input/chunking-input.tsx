import type { ReactNode } from "react";
import type { Chunking } from "../../protocol.js";
import { Field } from "./field.js";
import type { Input } from "./use-input.js";

const first: Readonly<Record<Chunking["by"], Chunking>> = {
  tokens: { by: "tokens", seed: 1 },
  characters: { by: "characters", size: 4 },
  words: { by: "words" },
  lines: { by: "lines" },
};

export function ChunkingInput({ input }: { readonly input: Input }): ReactNode {
  const { chunking } = input.state;
  const change = (next: Chunking): void => input.change({ chunking: next });
  return (
    <div className="side-by-side">
      <Field label="Chunks">
        <select value={chunking.by} onChange={(event) => change(first[event.target.value as Chunking["by"]])}>
          <option value="tokens">Random, 1–8 characters</option>
          <option value="characters">Characters</option>
          <option value="words">Words</option>
          <option value="lines">Lines</option>
        </select>
      </Field>
      {chunking.by === "characters" && (
        <Field label="Size">
          <input
            type="number"
            min={1}
            max={100_000}
            value={chunking.size}
            onChange={({ target }) => change({ by: "characters", size: whole(target.value, 1, 100_000) })}
          />
        </Field>
      )}
      {chunking.by === "tokens" && (
        <Field label="Seed">
          <input
            type="number"
            min={0}
            max={999_999}
            value={chunking.seed}
            onChange={({ target }) => change({ by: "tokens", seed: whole(target.value, 0, 999_999) })}
          />
        </Field>
      )}
    </div>
  );
}

/** The server refuses other sizes, and the address has no other seeds. */
function whole(text: string, least: number, most: number): number {
  return Math.min(Math.max(least, Math.trunc(Number(text))), most);
}
