import { loadUntyped } from "../../support/load-untyped.js";

/**
 * The parts of the AI SDK that tests use. Its declarations do not compile with our compiler options, so it is imported
 * by a name that the compiler does not resolve.
 */
const ai = await loadUntyped<AiSdk>("ai");
const hooks = await loadUntyped<Hooks>("@ai-sdk/react");

export const { DefaultChatTransport, parsePartialJson, readUIMessageStream }: AiSdk = ai;
export const { experimental_useObject: useObject, useChat }: Hooks = hooks;

export interface UIMessage {
  readonly role: string;
  readonly parts: readonly UIPart[];
}

interface UIPart {
  readonly type: string;
  readonly data?: unknown;
}

interface AiSdk {
  readonly DefaultChatTransport: new (options: {
    readonly api: string;
    readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
  }) => Transport;
  readonly readUIMessageStream: (options: {
    readonly stream: ReadableStream;
    readonly terminateOnError: boolean;
  }) => AsyncIterable<UIMessage>;
  readonly parsePartialJson: (text: string) => Promise<{ readonly value: unknown }>;
}

interface Transport {
  sendMessages(options: object): Promise<ReadableStream>;
  reconnectToStream(options: { readonly chatId: string }): Promise<ReadableStream | null>;
}

interface Hooks {
  readonly experimental_useObject: (options: { readonly api: string; readonly schema: unknown }) => {
    readonly object: unknown;
    readonly error: Error | undefined;
    readonly isLoading: boolean;
    submit(input: object): void;
  };
  readonly useChat: (options: {
    readonly transport: Transport;
    readonly onData?: (part: UIPart) => void;
  }) => {
    readonly messages: readonly UIMessage[];
    readonly status: string;
    sendMessage(message?: { readonly text: string }): Promise<void>;
    addToolApprovalResponse(answer: { readonly id: string; readonly approved: boolean }): Promise<void>;
  };
}
