import fc from "fast-check";

/**
 * The same inputs in every run of the suite, so that a change fails because of what it changed. `npm run fuzz` hunts
 * with new seeds.
 */
fc.configureGlobal({ seed: Number(process.env["MILLRACE_SEED"] ?? 1) });
