/** A message in the format of AG-UI. */
export type AgUiMessage = Readonly<
  | { id: string; role: "system"; name?: string; content: string }
  | { id: string; role: "user"; name?: string; content: AgUiContent }
  | { id: string; role: "assistant"; name?: string; content?: string; toolCalls?: readonly AgUiToolCall[] }
  | {
      id: string;
      role: "tool";
      toolCallId: string;
      content: AgUiContent;
      metadata?: { readonly status: "error" };
    }
>;

/** A text, or parts if there is more than text. */
export type AgUiContent = string | readonly AgUiPart[];

/** One part of a content. */
export type AgUiPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio" | "video" | "document"; readonly source: AgUiSource };

/** The location of a medium: a URL, base64 data, or a file id of the provider. */
export type AgUiSource =
  | { readonly type: "url"; readonly value: string; readonly mimeType?: string }
  | { readonly type: "data"; readonly value: string; readonly mimeType: string }
  | { readonly type: "file"; readonly value: string; readonly mimeType?: string };

/** A call of a tool. */
export interface AgUiToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}
