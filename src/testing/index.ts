export { threadLaws, type ThreadLawOptions } from "./laws/thread-laws.js";
export { journalLaws, type JournalLawOptions } from "./laws/journal-laws.js";
export { type Law, LawError, type LawErrorCode, type LawOptions } from "./laws/law.js";
export { modelLaws } from "./laws/model-laws.js";
export type { ModelWire, WireCall, WireCallDelta, WireUsage } from "./laws/model-wire.js";
export { operatorLaws } from "./laws/laws.js";
export { type ManualClock, manualClock } from "./manual-clock.js";
export type { TranscriptInput } from "./models/read-transcript.js";
export { replay, type ReplayOptions } from "./models/replay.js";
export { replayModel, type ReplayModelOptions } from "./models/replay-model.js";
export type { ScriptedCall, ScriptedModel, ScriptedModelOptions } from "./models/recording-model.js";
export { type Script, scriptedModel, type ScriptItem } from "./models/scripted-model.js";
export {
  allPartitions,
  everyCut,
  everyWay,
  fixedSizes,
  type Piece,
  randomPartitions,
  type RandomOptions,
} from "./splits.js";
export { type SpyOptions, type SpySource, spySource } from "./spy-source.js";
export { TranscriptError, type TranscriptErrorCode } from "./models/transcript-error.js";
