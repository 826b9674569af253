// Conversations with an agent, kept in a store
export { ThreadError, type ThreadErrorCode } from "./errors.js";
export { fileThreads } from "./stores/file-threads.js";
export { memoryThreads, type MemoryThreadsOptions } from "./stores/memory-threads.js";
export {
  postgresThreads,
  type PostgresQueries,
  type PostgresThreadsOptions,
} from "./stores/postgres-threads.js";
export { redisThreads, type RedisThreadsOptions } from "./stores/redis-threads.js";
export type { ThreadBounds } from "./stores/checked-threads.js";
export type {
  ListOptions,
  StoredThread,
  ThreadKey,
  ThreadStore,
  ThreadSummary,
} from "./stores/thread-store.js";
export { thread } from "./open-thread.js";
export type { RunTurn, Thread, ThreadOptions, TurnOptions } from "./thread.js";
export type { ThreadRecord, ThreadTurn } from "./thread-record.js";

// Conversations on a page
export { threadHandler, type ThreadHandlerOptions } from "./serve/thread-handler.js";
export type {
  AssistantMessageView,
  MediaView,
  MessageView,
  ThreadProblem,
  ThreadRequest,
  ThreadStatus,
  ThreadView,
  UserMessageView,
} from "../agent/views.js";
