import { useState } from "react";
import type { Chunking, Source } from "../../protocol.js";
import { samples } from "./samples.js";
import type { Reading } from "../transport/use-session.js";

/** Where the text comes from. */
export type InputKind = "document" | "recording" | "model";

/** What the form holds. */
export interface InputState {
  readonly kind: InputKind;
  /** The name of the sample that was taken; empty once it was changed. */
  readonly sample: string;
  readonly text: string;
  readonly chunking: Chunking;
  /** A recording of the server, or `file` for one's own. */
  readonly recording: string;
  readonly file: { readonly name: string; readonly text: string } | undefined;
  readonly model: string;
  readonly prompt: string;
  /** A recording has a schema of its own, as no sample fits it. */
  readonly schemas: Readonly<Record<InputKind, string>>;
  readonly strict: boolean;
}

export interface Input {
  readonly state: InputState;
  readonly change: (change: Partial<InputState>) => void;
  readonly write: (text: string) => void;
  readonly takeSample: (name: string) => void;
  readonly reading: Reading;
}

export function useInput(): Input {
  const [state, setState] = useState<InputState>(() => {
    const { schema, ...sample } = ofSample("");
    return {
      kind: "document",
      ...sample,
      schemas: { document: schema, recording: "", model: schema },
      recording: "",
      file: undefined,
      model: "openai:gpt-5-mini",
      prompt: "A recipe for a lemon and pea risotto for four.",
      strict: false,
    };
  });
  const schema = state.schemas[state.kind].trim();
  return {
    state,
    change: (change) => setState((before) => ({ ...before, ...change })),
    write: (text) =>
      setState((before) => {
        const { schemas } = before;
        const rules = isOther(text, before.text) ? { ...schemas, document: "" } : schemas;
        return { ...before, text, sample: "", schemas: rules };
      }),
    takeSample: (name) =>
      setState((before) => {
        const { schema, ...sample } = ofSample(name);
        return { ...before, ...sample, schemas: { ...before.schemas, document: schema } };
      }),
    reading: { source: sourceOf(state), strict: state.strict, ...(schema !== "" && { schema }) },
  };
}

/** The first one, if there is none of that name. */
function ofSample(
  name: string,
): Pick<InputState, "sample" | "text" | "chunking"> & { readonly schema: string } {
  const sample = samples.find((one) => one.name === name) ?? samples[0];
  if (sample === undefined) throw new Error("There are no samples.");
  const { text, chunking, schema } = sample;
  return {
    sample: sample.name,
    text,
    chunking,
    schema: schema === undefined ? "" : JSON.stringify(schema, null, 2),
  };
}

/** Whether a text took the place of another, whose schema does not fit it, and did not come from it by a change here or there. */
function isOther(text: string, before: string): boolean {
  return !text.startsWith(before.slice(0, 12)) && !text.endsWith(before.slice(-12));
}

function sourceOf(state: InputState): Source {
  const { kind, text, chunking, recording, file, model, prompt } = state;
  if (kind === "model") return { kind, model: model.trim(), prompt };
  if (kind === "document") return { kind: "text", text, chunking };
  return recording === ownFile ? { kind: "lines", text: file?.text ?? "" } : { kind, name: recording };
}

/** In place of the name of a recording. */
export const ownFile = "file:";
