/** The rules of a server with one of OpenAI's APIs, by its host and the name of the model. */
export interface ServerRules {
  /**
   * Whether it is OpenAI, or Azure with models of OpenAI. They require `max_completion_tokens` for reasoning models, and
   * refuse fields that they do not know. Most compatible servers support only `max_tokens`.
   */
  readonly official: boolean;
  /** Whether an assistant message may have `reasoning`. Groq refuses it for some models. */
  readonly takesReasoning: boolean;
  /** The id of a call as the server accepts it: the same for the call and for its result. */
  readonly callId: (id: string) => string;
}

export function serverRules(hostname: string, model: string): ServerRules {
  const official = officialHost.test(hostname);
  return {
    official,
    takesReasoning: !/(?:^|\.)groq\.com$/.test(hostname),
    callId: isMistral(hostname, model)
      ? mistralId
      : official || openAIModel.test(model)
        ? (id) => idWithin(id, 40)
        : (id) => id,
  };
}

const officialHost =
  /^api\.openai\.com$|\.openai\.azure\.com$|\.(?:cognitiveservices|services\.ai)\.azure\.com$/;

/** The models of OpenAI, also behind a gateway. gpt-oss runs elsewhere. */
const openAIModel = /^(?:.*\/)?(?:gpt-(?!oss)|chatgpt-|o\d)/;

/** Mistral's own tokenizer refuses other ids, on any server. */
function isMistral(hostname: string, model: string): boolean {
  return (
    /(?:^|\.)mistral\.ai$/.test(hostname) || /(?:mis|minis|magis|codes|devs|mix|pix|vox)tral/i.test(model)
  );
}

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9." */
function mistralId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : shortId(id);
}

/** An id of at most this many characters: "Expected a string with maximum length 40" (OpenAI). */
export function idWithin(id: string, length: number): string {
  return id.length <= length ? id : `${id.slice(0, length - 10)}_${shortId(id)}`;
}

/** Nine letters and digits for a text, always the same ones. Two texts have different ones, but for bad luck. */
function shortId(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x2545f491;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code ^ (a >>> 13), 0x5bd1e995);
  }
  const number = (a >>> 0) * 2 ** 20 + (b >>> 12);
  return number.toString(36).padStart(9, "0").slice(-9);
}
