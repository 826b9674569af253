export type { A2uiCatalogue } from "./a2ui/a2ui-catalogue.js";
export type { A2uiMessage, A2uiSurface, A2uiSurfaces } from "./a2ui/a2ui-message.js";
export { fromA2ui, type FromA2uiOptions } from "./a2ui/from-a2ui.js";
export { toA2ui, type ToA2uiOptions } from "./a2ui/to-a2ui.js";
export { assistantUiStore, type AssistantUiStore } from "./assistant-ui/assistant-ui-store.js";
export {
  toAssistantTransport,
  type AssistantTransportOptions,
} from "./assistant-ui/to-assistant-transport.js";
export { fromSpecStream, type SpecStreamOptions } from "./json-render/from-spec-stream.js";
export { toSpecStream } from "./json-render/to-spec-stream.js";
