export type { Journal } from "../agent/journal.js";
export { DurableError, type DurableErrorCode } from "./errors.js";
export {
  fileJournal,
  type FileJournal,
  type FileJournalOptions,
  unfinishedRuns,
} from "./file/file-journal.js";
export { memoryJournal, type MemoryJournalOptions } from "./memory-journal.js";
