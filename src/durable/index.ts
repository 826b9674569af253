// durable: runs of agents that survive a crash
export type { Journal } from "../agent/journal.js";
export { dbosJournal, type DbosJournalOptions, type DbosSteps } from "./journals/dbos-journal.js";
export {
  dbosWorker,
  type DbosWorker,
  type DbosWorkerOptions,
  type DbosWorkflows,
  type PostgresConnection,
} from "./journals/dbos-worker.js";
export { providerBatch, type ProviderBatchOptions } from "./batch/provider-batch.js";
export { durable, type DurableOptions, type DurableRun } from "./durable.js";
export { DurableError, type DurableErrorCode } from "./errors.js";
export {
  fileJournal,
  type FileJournal,
  type FileJournalOptions,
  unfinishedRuns,
} from "./journals/file/file-journal.js";
export { memoryJournal, type MemoryJournalOptions } from "./journals/memory-journal.js";
export {
  type RestateContext,
  restateJournal,
  type RestateJournalOptions,
  type RestateRace,
  type RestateSerde,
  type RestateStep,
} from "./journals/restate-journal.js";
export type { RunView } from "./views.js";
export type { StepView, ToolCallView } from "../agent/views.js";
