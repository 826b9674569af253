import { hexOf } from "../../../text/bytes/hex.js";
import { excerpt } from "../../../text/excerpt.js";
import { AgentError, invalidOptions } from "../../errors.js";
import type { Detectors } from "./detector.js";
import type { DecidedMatch } from "./match-finder.js";

/** What becomes of a match: see `redactText()`. */
export type RedactAction =
  | "block"
  | "mask"
  | "hash"
  | ((match: DecidedMatch) => string | PromiseLike<string>);

/** Returns the text in the place of a match. Throws if no text with a match may pass. */
export type Replace = (match: DecidedMatch) => string | PromiseLike<string>;

/** @param secret the key of hashes. Default: a random one */
export function replacement(action: RedactAction, secret: string | undefined): Replace {
  if (typeof action === "function") return action;
  const actions: Readonly<Record<typeof action, Replace>> = {
    block: ({ detector }) => {
      throw new AgentError("blocked", `redactText() found a match of "${detector}", which it blocks.`);
    },
    mask: ({ detector }) => `[${detector}]`,
    hash: hashing(secret),
  };
  if (!Object.hasOwn(actions, action))
    throw invalidOptions(
      `The action of redactText() is "block", "mask", "hash" or a function, not ${excerpt(action, 60)}.`,
    );
  if (action === "hash" && secret === "")
    throw invalidOptions("The secret of redactText() is empty. Leave it out, or set a random text.");
  return actions[action];
}

/** Without the key, nobody can find a card number by trying all of them. */
function hashing(secret: string | undefined): Replace {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const encoder = new TextEncoder();
  let key: Promise<CryptoKey> | undefined;
  const makeKey = (): Promise<CryptoKey> => {
    const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : encoder.encode(secret);
    return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  };
  return async ({ text, detector }) => {
    const digest = await crypto.subtle.sign("HMAC", await (key ??= makeKey()), encoder.encode(text));
    return `[${detector}:${hexOf(new Uint8Array(digest, 0, 6))}]`;
  };
}

/**
 * Replaces the matches of one answer, or of one message. After the first that may not pass, its `failure` is set and
 * nothing more passes: what came before it is the same for each way to cut the text.
 */
export class Replacer {
  failure: { readonly error: unknown } | undefined;
  readonly detectors: Detectors;
  private readonly replaceMatch: Replace;

  constructor(detectors: Detectors, replace: Replace) {
    this.detectors = detectors;
    this.replaceMatch = replace;
  }

  async replace(match: DecidedMatch): Promise<string> {
    try {
      return await this.replaceMatch(match);
    } catch (error) {
      this.failure ??= { error };
      return "";
    }
  }
}
