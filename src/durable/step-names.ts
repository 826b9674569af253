/** The step that records how a run ended. It is the last one. */
export const endStep = "end";
