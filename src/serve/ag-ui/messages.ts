/** A message as AG-UI writes it. */
export type AgUiMessage =
  | { readonly id: string; readonly role: "system"; readonly name?: string; readonly content: string }
  | { readonly id: string; readonly role: "user"; readonly name?: string; readonly content: AgUiContent }
  | {
      readonly id: string;
      readonly role: "assistant";
      readonly name?: string;
      readonly content?: string;
      readonly toolCalls?: readonly AgUiToolCall[];
    }
  | {
      readonly id: string;
      readonly role: "tool";
      readonly toolCallId: string;
      readonly content: AgUiContent;
      readonly metadata?: { readonly status: "error" };
    };

/** A text, or parts where there is more than text. */
export type AgUiContent = string | readonly AgUiPart[];

/** One part of a content. */
export type AgUiPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio" | "video" | "document"; readonly source: AgUiSource };

/** Where a medium is: an address, base64, or the name that a provider gave it. */
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
