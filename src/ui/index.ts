export {
  toAssistantTransport,
  type AssistantTransportOptions,
} from "./assistant-ui/to-assistant-transport.js";
export { fromSpecStream, type SpecStreamOptions } from "./json-render/from-spec-stream.js";
export { toSpecStream } from "./json-render/to-spec-stream.js";
