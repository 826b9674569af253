// durable: runs of agents that survive a crash
export type { Journal } from "../agent/journal.js";
export { durable, type DurableOptions, type DurableRun } from "./durable.js";
export { DurableError, type DurableErrorCode } from "./errors.js";
export {
  fileJournal,
  type FileJournal,
  type FileJournalOptions,
  unfinishedRuns,
} from "./file/file-journal.js";
export { memoryJournal, type MemoryJournalOptions } from "./memory-journal.js";
export type { ToolCallView, RunView, StepView } from "./views.js";
