export type { AnyTool, ErrorHandling, Injections } from "./run/any-tool.js";
export { toolFromOperator } from "./define/from-operator.js";
export {
  retrieverTool,
  type DocumentPrompt,
  type Retrieve,
  type RetrievedDocument,
  type Retriever,
  type RetrieverToolOptions,
} from "./define/retriever-tool.js";
export { tool, type Tool, type ToolOf, type ToolOptions } from "./define/tool.js";
export { ToolError, type ToolErrorCode, type ToolErrorDetails } from "./errors.js";
export { renderTools, renderToolsWithArgs, type RenderedTool } from "./render-tools.js";
export type { ToolRuntime, ToolState } from "./run/runtime.js";
