/** How the items of a list are marked at the beginning of their lines. */
export interface Markers {
  /** A whole marker. Neither longer nor shorter ones are markers too. */
  readonly whole: RegExp;
  /** What may become one. */
  readonly begun: RegExp;
}

/** `1.` and `1)`, of at most nine digits as in CommonMark: more would be no exact number everywhere. */
export const numbers: Markers = { whole: /^\d{1,9}[.)]$/, begun: /^\d{1,9}$/ };

/** `-`, `*` and `+`. */
export const bullets: Markers = { whole: /^[-*+]$/, begun: /^(?!)/ };
