import { counted } from "../../text/counts.js";
import type { ExtractProgress } from "./counts.js";
import { inputKinds } from "./documents.js";
import { countsByReason } from "./progress-frame.js";

/** Says how many documents have no object, why, and what to do. */
export function failureReport({ failed, failures }: ExtractProgress, errors: string): string {
  const now = Object.values(failures).reduce((sum, times) => sum + times, 0);
  const earlier = failed - now;
  const reasons = countsByReason({ ...failures, ...(earlier > 0 && { "of earlier runs": earlier }) });
  // Wrong inputs are read again by each run, so failures of earlier runs are answers.
  const isWrongInput = earlier === 0 && Object.keys(failures).every((kind) => inputKinds.has(kind));
  const advice = isWrongInput
    ? "Correct these inputs and run the command again."
    : "To ask again, add --retry-errors.";
  return (
    `${counted(failed, "document has", "documents have")} no object (${reasons}). ` +
    `The reasons are in ${errors}. ${advice}`
  );
}
