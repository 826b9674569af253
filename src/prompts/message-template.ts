import type { ContentBlock } from "../messages/blocks/blocks.js";
import type { Message } from "../messages/message.js";
import { wordSet } from "../text/words-in.js";
import { type TemplatePart, textTemplate } from "./values.js";

/** A message whose texts are templates, unless it is the result of a tool. @param place its name in errors */
export function messageTemplate(message: Message, place: string): TemplatePart<Message> {
  if (message.role === "tool") return { names: [], render: () => message };
  const blocks = message.content.map((block, index) => blockTemplate(block, `${place}.content[${index}]`));
  return {
    names: blocks.flatMap(({ names }) => names),
    render: (values) => {
      const content = blocks.map(({ render }) => render(values)).filter(isNotEmpty);
      return { ...message, content };
    },
  };
}

function blockTemplate(block: ContentBlock, place: string): TemplatePart<ContentBlock> {
  if (!templated.has(block.type)) return { names: [], render: () => block };
  const texts = Object.entries(block).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string" && templatedFields.has(key)
      ? [{ key, ...textTemplate(value, `${place}.${key}`) }]
      : [],
  );
  return {
    names: texts.flatMap(({ names }) => names),
    render: (values) => {
      const rendered = texts.map(({ key, render }) => [key, render(values)]);
      return { ...block, ...(Object.fromEntries(rendered) as object) };
    },
  };
}

/** The blocks that people write. The others are tool calls and results, reasoning, and data of one provider. */
const templated = wordSet("text image audio video file text-plain");

/** The strings in them that people write (docs/reference/prompts.md). */
const templatedFields = wordSet("text url data mimeType fileId filename title context");

/** Empty text blocks are left out, as by the constructors of messages. */
function isNotEmpty(block: ContentBlock): boolean {
  return block.type !== "text" || block.text !== "";
}
