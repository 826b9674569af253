import { useState } from "react";
import type { JsonObject } from "millrace/json";
import { recipePrompt, recipeSchema } from "../../recipe.js";
import type { Chunking, Format, Source } from "../../protocol.js";
import { samples } from "./samples.js";
import { dashboardComponents, dashboardPrompt } from "./dashboard-sample.js";
import type { RunInput } from "../transport/use-session.js";

/** The tabs of the form: where the text comes from. */
export type InputKind = "document" | "recording" | "model";

/** The state of the form. */
export interface InputState {
  readonly kind: InputKind;
  /** The chosen sample; empty once the text has been edited. */
  readonly sample: string;
  readonly text: string;
  readonly chunking: Chunking;
  /** The name of one of the server's recordings, or `ownFile`. */
  readonly recording: string;
  readonly file: { readonly name: string; readonly text: string } | undefined;
  readonly model: string;
  readonly prompt: string;
  /** A schema for each tab, because the schema of a sample does not fit a recording. */
  readonly schemas: Readonly<Record<InputKind, string>>;
  /** The format of the text of each tab. */
  readonly formats: Readonly<Record<InputKind, Format>>;
  readonly strict: boolean;
}

export interface Input {
  readonly state: InputState;
  readonly change: (change: Partial<InputState>) => void;
  readonly write: (text: string) => void;
  readonly takeSample: (name: string) => void;
}

export function useInput(first: InputState): Input {
  const [state, setState] = useState(first);
  return {
    state,
    change: (change) => setState((before) => ({ ...before, ...change })),
    write: (text) =>
      setState((before) => {
        const edited = { ...before, text, sample: "" };
        return isOther(text, before.text) ? withFormat(edited, "json", "") : edited;
      }),
    takeSample: (name) => setState((before) => withSample(before, name)),
  };
}

/** The form with the first sample. */
export function firstInput(): InputState {
  const { schema, format, ...sample } = ofSample("");
  return {
    kind: "document",
    ...sample,
    schemas: { document: schema, recording: "", model: textOfSchema(recipeSchema) },
    formats: { document: format, recording: "json", model: "json" },
    recording: "",
    file: undefined,
    model: "openai:gpt-6.1-terra",
    prompt: recipePrompt,
    strict: false,
  };
}

/** The form with a sample as its document. */
export function withSample(before: InputState, name: string): InputState {
  const { schema, format, ...sample } = ofSample(name);
  return withFormat({ ...before, ...sample }, format, schema, "document");
}

/** The form with another format and schema for a tab. Default: the open one. */
export function withFormat(
  before: InputState,
  format: Format,
  schema: string,
  kind: InputKind = before.kind,
): InputState {
  const { schemas, formats } = before;
  return { ...before, schemas: { ...schemas, [kind]: schema }, formats: { ...formats, [kind]: format } };
}

/** The form for a model that writes a document or an interface. A prompt of one's own stays. */
export function withAnswer(before: InputState, format: Format): InputState {
  const { schema, prompt } = answers[format];
  const isOwn = !Object.values(answers).some((other) => other.prompt === before.prompt);
  return withFormat({ ...before, ...(!isOwn && { prompt }) }, format, textOfSchema(schema), "model");
}

export function runInputOf(state: InputState): RunInput {
  const schema = state.schemas[state.kind].trim();
  const format = state.formats[state.kind];
  return { source: sourceOf(state), format, strict: state.strict, ...(schema !== "" && { schema }) };
}

/** The sample with this name, or the first sample. */
function ofSample(
  name: string,
): Pick<InputState, "sample" | "text" | "chunking"> & { readonly schema: string; readonly format: Format } {
  const sample = samples.find((one) => one.name === name) ?? samples[0];
  if (sample === undefined) throw new Error("There are no samples.");
  const { text, chunking, schema, format = "json" } = sample;
  return {
    sample: sample.name,
    text,
    chunking,
    format,
    schema: schema === undefined ? "" : textOfSchema(schema),
  };
}

function textOfSchema(schema: JsonObject): string {
  return JSON.stringify(schema, null, 2);
}

/** The request to a model, by format. */
const answers = {
  json: { prompt: recipePrompt, schema: recipeSchema },
  spec: { prompt: dashboardPrompt, schema: dashboardComponents },
} as const;

/** Whether a text replaced another instead of editing it. The old schema then no longer fits. */
function isOther(text: string, before: string): boolean {
  return !text.startsWith(before.slice(0, 12)) && !text.endsWith(before.slice(-12));
}

function sourceOf(state: InputState): Source {
  const { kind, text, chunking, recording, file, model, prompt } = state;
  if (kind === "model") return { kind, model: model.trim(), prompt };
  if (kind === "document") return { kind: "text", text, chunking };
  return recording === ownFile ? { kind: "lines", text: file?.text ?? "" } : { kind, name: recording };
}

/** Stands for the uploaded file in `recording`. */
export const ownFile = "file:";
