import { lazyPattern } from "../../text/lazy-pattern.js";

/** How many characters at the start of an answer are searched. */
const maxLength = 300;

/** The model must say in the first person that it does not do it: "it cannot be negative" is no refusal. */
const declines = lazyPattern(
  anyOf([
    String.raw`SUBJECT(?: \w+ly| just)? (?:can'?t|cannot|can not|won'?t|will not|could not|couldn't)`,
    String.raw`SUBJECT(?: \w+ly)? (?:rather not|unable to|not (?:able|going|allowed|permitted) to|not comfortable)`,
    String.raw`SUBJECT(?: not|n't) (?:feel comfortable|have the ability|think I can)`,
    String.raw`SUBJECT(?: going to)?(?: must| have to| need to)?(?: \w+ly)? (?:decline|refuse)`,
    String.raw`(?:not|\w+n't) (?:something (?:I|we)|within my)`,
    String.raw`(?:against|violates?) (?:my|our|the) (?:\w+ )?(?:guidelines|programming|polic(?:y|ies)|principles)`,
    String.raw`(?:ich VERB|VERB ich)(?: \p{L}+){0,5} nicht|ich bin (?:leider )?nicht in der Lage`.replaceAll(
      "VERB",
      "(?:kann|darf|möchte|werde)",
    ),
    String.raw`je (?:ne (?:peux|saurais|veux|suis pas en mesure)|refuse)`,
    "no (?:puedo|podemos|me es posible)|não (?:posso|consigo|podemos)|non (?:posso|possiamo|sono in grado)",
    String.raw`(?:(?:ik|jag|jeg) kan|kan (?:ik|jag|jeg))(?: \p{L}+){0,4} (?:niet|inte|ikke)`,
    "я не (?:могу|буду)|nie mogę|لا (?:أستطيع|يمكنني)",
  ]),
  "iu",
);
const declinesInChinese = /我们?(?:无法|無法|不能|拒绝|拒絕)|[无無]法(?:提供|回答|[满滿]足|[协協]助)/;
const declinesInJapanese = /(?:お(?:応|答)え|お手伝い|回答|提供|対応|応じ).{0,8}(?:できません|かねます)/;
const declinesInKorean = /(?:도와|답변|답할|제공|처리|수행).{0,6}수 없/;

/** Elsewhere an apology at the start is enough. */
const apologies = [
  "es tut mir|tut mir leid|het spijt me|üzgünüm|beklager|(?:je suis )?désolée?|lo siento|mi dispiace",
  "desculpe|sinto muito|przykro mi|извините|عذرا|(?:非常|很)?抱歉|[对對]不起|申し訳|すみません|ごめんなさい|죄송",
];
const apology = new RegExp(String.raw`^\s*(?:${apologies.join("|")})`, "i");

/** Text in quotes is what somebody else said. */
const quoted = /["“«][^"“”«»]*["”»]/g;

/** Whether a text without a document reads as a refusal, such as "I'm sorry, but I can't help with that." */
export function isRefusal(text: string): boolean {
  const start = text.slice(0, maxLength).replace(quoted, "");
  const patterns = [declines(), declinesInChinese, declinesInJapanese, declinesInKorean, apology];
  return patterns.some((pattern) => pattern.test(start));
}

/** A pattern of any of these words. SUBJECT is "I", "we're" and the like; a space is any white space; ' is also ’. */
function anyOf(words: readonly string[]): string {
  const subject = String.raw`(?:I|we)(?:'(?:m|re|d)| am| are| would| do)?`;
  const pattern = words
    .join("|")
    .replaceAll("SUBJECT", subject)
    .replaceAll("'", String.raw`['\u2019]`)
    .replaceAll(" ", String.raw`\s+`);
  return String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`;
}
