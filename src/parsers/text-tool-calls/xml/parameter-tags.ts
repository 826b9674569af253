/** The tags around the parameters of a call. */
export interface ParameterTags {
  /** The text before a value, with the key as its group. */
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
  /** Whether there is a line break between a tag and a value, and `end` may stand for a missing closing tag. */
  readonly onLines: boolean;
}

/** `<function=name><parameter=key>value</parameter></function>` */
export const qwenTags: ParameterTags = {
  before: /^<parameter\s*=\s*["']?([^<>"'\n]+?)["']?\s*>/,
  after: /^<\/function\s*>/,
  incomplete: /^<(?:\/?[a-z]*\d*\s*|(?:parameter|function)\s*=[^<>]*)$/,
  inValue:
    /\r?\n?(?:<parameter\s*=\s*["']?(?<key>[^<>"'\n]+?)["']?\s*>|(?<close><\/parameter\w*\s*>)|(?<call><function\s*=[^<>]*>)|(?<end><\/function\s*>))/g,
  nested: /^\s*(?:<parameter\s*=|<\/function|\{)/,
  onLines: true,
};

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>` */
export const glmTags: ParameterTags = {
  before: /^<arg_key>\s*([^<>]+?)\s*<\/arg_key>\s*<arg_value>/,
  after: /^(?!)/, // the end of the marker
  incomplete: /^<(?:\/?[a-z_]*\s*|arg_key>[^<>]*(?:<\/?[a-z_]*|<\/arg_key>\s*(?:<[a-z_]*)?)?)$/,
  inValue: /<arg_(?<key>key)>|(?<close><\/arg_value\s*>)|(?<call><tool_call>)|(?<end><\/tool_call>)/g,
  nested: /^\s*[\w.\\/:-]+\s*<arg_key>/,
  onLines: false,
};
