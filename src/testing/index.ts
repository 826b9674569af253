export { type Law, LawError, type LawErrorCode, type LawOptions } from "./law.js";
export { operatorLaws } from "./laws.js";
export { type ManualClock, manualClock } from "./manual-clock.js";
export type { TranscriptInput } from "./read-transcript.js";
export { replay, type ReplayOptions } from "./replay.js";
export { replayModel, type ReplayModelOptions } from "./replay-model.js";
export type { ScriptedCall, ScriptedModel, ScriptedModelOptions } from "./recording-model.js";
export { type Script, scriptedModel, type ScriptItem } from "./scripted-model.js";
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
export { TranscriptError, type TranscriptErrorCode } from "./transcript-error.js";
