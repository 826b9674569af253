// The parts of an agent: createAgent() itself is an export of `millrace`
export type { ContextOf } from "./agent-options.js";
export { capture, type CaptureEvent, type CaptureOptions, type CaptureStage } from "./capture.js";
export type { CallEnded } from "./answer/answer-reader.js";
export type { AnswerEvent } from "./answer/conclude.js";
export type { RequestOptions } from "./answer/request.js";
export { AgentError, type AgentErrorCode, type AgentErrorDetails, type EventProblem } from "./errors.js";
export type {
  AgentToolErrorEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
  FinishEvent,
  MessageEvent,
  ReasoningEvent,
  StepEndEvent,
  StepEvent,
  AnswerResetEvent,
  StructuredErrorEvent,
  StructuredEvent,
  StructuredItemEvent,
  StructuredPatchEvent,
  StructuredResetEvent,
  StructuredStrategyEvent,
  TextEvent,
  ToolArgsEvent,
  ToolCallEvent,
  ToolPausedEvent,
  ToolStartEvent,
  UsageEvent,
} from "./events.js";
export type {
  AgentCallOptions,
  ClientResults,
  Middleware,
  ModelCall,
  NestedAgent,
  NextModelCall,
  NextRun,
  NextToolRun,
  OuterRun,
  RunInfo,
  StepChange,
  ToolOutcome,
  ToolPause,
  ToolRun,
  ToolUsage,
} from "./middleware/middleware.js";
export type { TokenPrice, TokenPrices } from "../messages/prices.js";
export {
  promptStrategy,
  providerStrategy,
  autoStrategy,
  toolStrategy,
  type AgentResponseFormat,
  type ErrorClass,
  type HandleError,
  type PartialOf,
  type PromptStrategy,
  type PromptStrategyOptions,
  type ProviderStrategy,
  type ProviderStrategyOptions,
  type StructuredOf,
  type ToolStrategy,
  type ToolStrategyOptions,
} from "./answer/response-format.js";

// middleware: ready-made functions around the parts of a run
export type { ApprovalDecision, Decisions } from "./decisions.js";
export { cacheAnswers, type CacheAnswersOptions } from "./middleware/cache/cache-answers.js";
export type { CachedRequest, AnswerStore } from "./middleware/cache/cached-model.js";
export { humanApproval, type HumanApprovalOptions } from "./middleware/human-approval.js";
export { logging, type LoggingOptions } from "./middleware/logging.js";
export { clearToolResults, type ClearToolResultsOptions } from "./middleware/messages/clear-tool-results.js";
export type { CountTokens } from "./middleware/messages/count-tokens.js";
export {
  summarizeMessages,
  type SummarizeMessagesOptions,
} from "./middleware/messages/summarize-messages.js";
export { modelCallLimit, type ModelCallLimitOptions } from "./middleware/model-call-limit.js";
export { modelFallback } from "./middleware/model-fallback.js";
export { modelRetry } from "./middleware/model-retry.js";
export { card } from "./middleware/redact/card.js";
export type { DetectedText, Detector, Detectors } from "./middleware/redact/detector.js";
export { email } from "./middleware/redact/email.js";
export { ip } from "./middleware/redact/ip.js";
export type { DecidedMatch } from "./middleware/redact/match-finder.js";
export { redactText, type RedactDirection, type RedactTextOptions } from "./middleware/redact/redact-text.js";
export type { RedactAction } from "./middleware/redact/replacement.js";
export type { RetryOptions } from "./middleware/retry.js";
export type { LogLevel } from "./middleware/run-log.js";
export { selectTools, type SelectToolsOptions } from "./middleware/select-tools.js";
export { stopWhen } from "./stop-when.js";
export { toolCallLimit, type ToolCallLimitOptions } from "./middleware/tool-call-limit.js";
export { toolRetry, type ToolRetryOptions } from "./middleware/tool-retry.js";
export { isDestructive, type ToolSelection } from "./middleware/tool-selection.js";
export { trimMessages, type TrimMessagesOptions } from "./middleware/messages/trim-messages.js";
export type {
  OpenTelemetryApi,
  OpenTelemetryAttributes,
  OpenTelemetryContext,
  OpenTelemetryHistogram,
  OpenTelemetryMeter,
  OpenTelemetrySpan,
  OpenTelemetryTracer,
} from "./telemetry/api.js";
export { telemetry, type TelemetryOptions } from "./telemetry/telemetry.js";

// tools: functions that a model may call
export type { AnyTool, ErrorHandling, Injections, ToolEffects } from "../tools/run/any-tool.js";
export { toolFromOperator } from "../tools/define/from-operator.js";
export {
  retrieverTool,
  type DocumentPrompt,
  type Retrieve,
  type RetrievedDocument,
  type Retriever,
  type RetrieverToolOptions,
} from "../tools/define/retriever-tool.js";
export {
  agentTool,
  type AgentToolOptions,
  type AgentToolResult,
  type CallableAgent,
  type NestedEvent,
  type NestedProgress,
} from "./tools/agent-tool.js";
export { serverTool, type ServerToolOptions } from "../tools/define/server-tool.js";
export {
  clientTool,
  sharedTool,
  type ClientHandler,
  type ClientHandlers,
  type SharedTool,
} from "./tools/client-tool.js";
export { ownState, type OwnState, type ResultWithState } from "../tools/run/own-state.js";
export type { ToolOf } from "../tools/define/tool.js";
export { ToolError, type ToolErrorCode, type ToolErrorDetails } from "../tools/errors.js";
export { renderTools, renderToolsWithArgs, type RenderedTool } from "../tools/render-tools.js";
export type { ToolErrorEvent, ToolEvent, ToolProgressEvent, ToolResultEvent } from "../tools/run/events.js";
export { runTool } from "../tools/run/run-tool.js";
export type { ToolInvocation, ToolRunOptions, ToolState } from "../tools/run/runtime.js";
