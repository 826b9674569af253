import { ours } from "./ours.js";
import { peers } from "./peers.js";
import type { Subject } from "./subject.js";

export type SubjectName = keyof typeof ours | keyof typeof peers;

export const subjects: Readonly<Record<SubjectName, Subject>> = { ...ours, ...peers };
