// agent: a model with tools, with a streaming structured response
export { createAgent, type Agent, type AgentResult } from "./agent.js";
export type { AgentOptions, ContextOf } from "./agent-options.js";
export {
  capture,
  type AnswerEvent,
  type CaptureEvent,
  type CaptureOptions,
  type CaptureStage,
} from "./capture.js";
export type { RequestOptions } from "./loop/model-call.js";
export type { CallEnded } from "./response/answer-capture.js";
export { AgentError, type AgentErrorCode, type AgentErrorDetails } from "./errors.js";
export type {
  AgentEvent,
  AgentToolErrorEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
  FinishEvent,
  MessageEvent,
  ReasoningEvent,
  StepEndEvent,
  StepEvent,
  StructuredErrorEvent,
  StructuredEvent,
  StructuredItemEvent,
  StructuredPatchEvent,
  TextEvent,
  ToolArgsEvent,
  ToolCallEvent,
  ToolPausedEvent,
  ToolStartEvent,
  UsageEvent,
} from "./events.js";
export type {
  AgentCallOptions,
  Middleware,
  ModelCall,
  NextModelCall,
  NextRun,
  NextToolRun,
  RunInfo,
  StepChange,
  ToolOutcome,
  ToolRun,
} from "./middleware/middleware.js";
export {
  promptStrategy,
  providerStrategy,
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
} from "./response/response-format.js";
export type { RunOptions } from "./loop/run.js";
export type { AgentInput, AgentState } from "./state.js";

// middleware: ready-made functions around the parts of a run
export {
  humanApproval,
  type ApprovalDecision,
  type HumanApprovalOptions,
} from "./middleware/human-approval.js";
export { logging, type LoggingOptions } from "./middleware/logging.js";
export { modelCallLimit, type ModelCallLimitOptions } from "./middleware/model-call-limit.js";
export { modelFallback } from "./middleware/model-fallback.js";
export { modelRetry } from "./middleware/model-retry.js";
export type { RetryOptions } from "./middleware/retry.js";
export type { LogLevel } from "./middleware/run-log.js";
export { toolCallLimit, type ToolCallLimitOptions } from "./middleware/tool-call-limit.js";
export { toolRetry, type ToolRetryOptions } from "./middleware/tool-retry.js";
export type { ToolSelection } from "./middleware/tool-selection.js";
export { trimMessages, type TrimMessagesOptions } from "./middleware/trim-messages.js";
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
export * from "../tools/index.js";
export type { ToolErrorEvent, ToolEvent, ToolProgressEvent, ToolResultEvent } from "../tools/run/events.js";
export { runTool } from "../tools/run/run-tool.js";
export type { ToolInvocation, ToolRunOptions } from "../tools/run/runtime.js";

// messages: the input and output of runs
export { assistant, user, system, toolMessage, type MessageContent } from "../messages/constructors.js";
export type {
  AssistantFields,
  AssistantMessage,
  HumanMessage,
  Message,
  SystemMessage,
  ToolMessage,
} from "../messages/message.js";
export type { MessageLike, MessagesInput } from "../messages/to-messages.js";
export { reasoningOf, textOf, toolCallsOf, type HasContent, type ToolCall } from "../messages/blocks/read.js";
