import { createDevtools } from "millrace/client";

/** Adds a panel to the page with the patches, their size and errors. In production it does nothing. */
export const probe = createDevtools().stream("answer");
