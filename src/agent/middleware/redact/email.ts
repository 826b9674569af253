import { lazyPattern } from "../../../text/lazy-pattern.js";
import type { DetectedText, Detector } from "./detector.js";

/**
 * Email addresses with a domain of at least two labels, also with letters outside ASCII. It does not find quoted local
 * parts, domains without a full stop such as `localhost`, addresses in disguise (`ada at example dot com`), or those in
 * scripts that are written without spaces.
 */
export const email: Detector = Object.assign(
  function* email(run: string): Generator<DetectedText, void, undefined> {
    for (let at = run.indexOf("@"), from = 0; at >= 0; at = run.indexOf("@", at + 1)) {
      const [local] = localPart().exec(run.slice(Math.max(from, at - maxLocal), at)) ?? [];
      const [domain] = domainPart().exec(run.slice(at + 1, at + 1 + maxDomain)) ?? [];
      if (local === undefined || domain === undefined) continue;
      from = at + 1 + domain.length;
      yield { index: at - local.length, 0: `${local}@${domain}` };
    }
  },
  {
    // Chinese text has no spaces, and would be withheld up to the end of the sentence.
    characters: /(?![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uffff])[\p{L}\p{N}\p{M}@._+%~'-]/u,
    maxLength: 320,
  },
);

const maxLocal = 64;
const maxDomain = 255;
const localPart = lazyPattern(String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}._+%~'-]*$`);
const domainPart = lazyPattern(
  String.raw`^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+\p{L}[\p{L}\p{M}\d-]*[\p{L}\p{M}\d]`,
);
