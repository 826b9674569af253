/** The tags around the parameters of a call. */
export interface ParameterTags {
  /** The start of a call with its name as the group, if that is a tag. */
  readonly open: RegExp;
  /** The end of a call with JSON as arguments. */
  readonly ends: readonly string[];
  /** The text before a value, with the key as its group, and whether the value is a string as `string`. */
  readonly before: RegExp;
  /** The end of the call, if it is not that of the marker. */
  readonly after: RegExp;
  /** The start of these, or of a closing tag, at the end of a chunk. */
  readonly incomplete: RegExp;
  /**
   * The tags that matter inside a value, as groups: `key` with the name of a parameter, `close`, `call` before a nested
   * call, `end` after it. With the line break before them that is not part of the value.
   */
  readonly inValue: RegExp;
  /** The text after the tag before a nested call. A mention of the tag has other text after it. */
  readonly nested: RegExp;
  /**
   * Whether there may be a line break between a tag and a value, and `end` may stand for a missing closing tag. If
   * `"both"`, the break before the closing tag is part of the value unless there was one after the opening tag.
   */
  readonly onLines: boolean | "both";
}

/** `<function=name><parameter=key>value</parameter></function>` */
export const qwenTags: ParameterTags = {
  open: /^<function\s*=\s*["']?([^<>"'\s]+)["']?\s*>\s*/,
  ends: ["</function>"],
  before: /^<parameter\s*=\s*["']?([^<>"'\n]+?)["']?\s*>/,
  after: /^<\/function\s*>/,
  incomplete: /^<(?:\/?\w*\s*\/?|(?:\/?parameter|function)\s*=[^<>]*)$/,
  inValue:
    /\r?\n?(?:<parameter\s*=\s*["']?(?<key>[^<>"'\n]+?)["']?\s*>|(?<close><\/parameter(?:\w*\s*\/?|\s*=[^<>\n]*)>)|(?<call><function\s*=[^<>]*>)|(?<end><\/function\s*>))/g,
  nested: /^\s*(?:<parameter\s*=|<\/function|\{)/,
  onLines: true,
};

/**
 * `<invoke name="name"><parameter name="key">value</parameter></invoke>`; the names of the tags may have a prefix.
 * DeepSeek says with `string="false"` that a value is JSON.
 */
export const invokeTags: ParameterTags = {
  open: /^<(?:antml:|｜DSML｜)?invoke\s+name\s*=\s*["']?([^<>"'\n]+?)["']?\s*>\s*/,
  ends: ["</invoke>", "</antml:invoke>", "</｜DSML｜invoke>"],
  before:
    /^<(?:antml:|｜DSML｜)?parameter\s+name\s*=\s*["']?([^<>"'\n]+?)["']?(?:\s+string\s*=\s*["']?(?<string>true|false)["']?)?\s*>/,
  after: /^<\/(?:antml:|｜DSML｜)?invoke\s*>/,
  incomplete: /^<\/?(?:[\w:｜]*\/?|(?:antml:|｜DSML｜)?(?:parameter\w*|invoke)\s[^<>]*)$/,
  inValue:
    /\r?\n?(?:<(?:antml:|｜DSML｜)?parameter\s+name\s*=\s*["']?(?<key>[^<>"'\n]+?)["']?(?:\s+string\s*=[^<>]*)?\s*>|(?<close><\/(?:antml:|｜DSML｜)?parameter\w*\s*\/?>)|(?<call><(?:antml:|｜DSML｜)?invoke\s+name\s*=[^<>]*>)|(?<end><\/(?:antml:|｜DSML｜)?invoke\s*>))/g,
  nested: /^\s*(?:<(?:antml:|｜DSML｜)?parameter\s|<\/(?:antml:|｜DSML｜)?invoke|\{)/,
  onLines: "both",
};

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>` */
export const glmTags: ParameterTags = {
  open: /^(?!)/, // the marker
  ends: [],
  before: /^<arg_key>\s*([^<>]+?)\s*<\/arg_key>\s*<arg_value>/,
  after: /^(?!)/, // the end of the marker
  incomplete: /^<(?:\/?[a-z_]*\s*|arg_key>[^<>]*(?:<\/?[a-z_]*|<\/arg_key>\s*(?:<[a-z_]*)?)?)$/,
  inValue: /<arg_(?<key>key)>|(?<close><\/arg_value\s*>)|(?<call><tool_call>)|(?<end><\/tool_call>)/g,
  nested: /^\s*[\w.\\/:-]+\s*<arg_key>/,
  onLines: false,
};

/** The maximum length of a tag, and of the text that decides whether a tag closes a value. */
export const maxTag = 1_000;

/**
 * The text after a tag that may close a value:
 *
 * - `{ key }`: the next parameter
 * - `{ length }`: the end of the call, of this length
 * - `text`: other text, so the tag is part of the value
 * - `wait`: more text is needed
 * - `cut`: the text ends
 */
export type AfterTag = { readonly key: string } | { readonly length: number } | "text" | "wait" | "cut";

/** The calls that may follow a call. */
const calls = ["<tool_call>", "<function=", "<invoke name=", "<antml:invoke name=", "<｜DSML｜invoke name="];

/** The text after the closing tag of a value. The tag ends at `at`. */
export function afterClosingTag(
  text: string,
  at: number,
  tags: ParameterTags,
  closings: readonly string[],
  isEnd: boolean,
): AfterTag {
  const rest = text.slice(at, at + maxTag);
  const start = rest.trimStart();
  const before = tags.before.exec(start);
  if (before !== null) return { key: before[1] as string };
  const end = tags.after.exec(start)?.[0];
  if (end !== undefined) {
    const length = rest.length - start.length + end.length;
    const after = afterCall(text, at + length, closings, true, isEnd);
    return after === "end" ? { length } : after;
  }
  if (closings.some((tag) => start.startsWith(tag))) return { length: 0 };
  if (rest.length < maxTag && mayBecome(start, tags, closings)) return isEnd ? "cut" : "wait";
  return "text";
}

/**
 * Whether a call ends at `at`, after `</function>`: by the end of the text, a closing tag of the marker, a special token
 * or another call.
 *
 * @param orLine whether the end of the line is enough
 */
export function afterCall(
  text: string,
  at: number,
  closings: readonly string[],
  orLine: boolean,
  isEnd: boolean,
): "end" | "text" | "wait" {
  const rest = text.slice(at, at + maxTag);
  const start = rest.trimStart();
  const tags = [...closings, ...calls, "<|"];
  if (tags.some((tag) => start.startsWith(tag))) return "end";
  if (rest.length < maxTag && tags.some((tag) => tag.startsWith(start))) return isEnd ? "end" : "wait";
  return orLine && rest.slice(0, rest.length - start.length).includes("\n") ? "end" : "text";
}

/** Whether the text may become a tag of a parameter or the end of a call. */
export function mayBecome(text: string, tags: ParameterTags, closings: readonly string[]): boolean {
  return text === "" || tags.incomplete.test(text) || closings.some((tag) => tag.startsWith(text));
}

/** The length of the end of a text that may be the start of a tag, a line break before it, or half a character. */
export function tailLength(text: string, tags: ParameterTags): number {
  const start = text.lastIndexOf("<");
  const isTag = start >= 0 && text.length - start < maxTag && tags.incomplete.test(text.slice(start));
  const end = isTag ? start : text.length;
  const tail = /(?:\r?\n|[\r\ud800-\udbff])$/.exec(text.slice(Math.max(0, end - 2), end));
  return text.length - end + (tail?.[0].length ?? 0);
}
