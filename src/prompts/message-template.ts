import type { ContentBlock } from "../messages/blocks/blocks.js";
import type { Message } from "../messages/message.js";
import { readTemplate } from "./read-template.js";
import { renderText, type Values } from "./values.js";

/** A message whose texts are templates, unless it is the result of a tool. */
export interface MessageTemplate {
  readonly names: readonly string[];
  readonly render: (values: Values) => Message;
}

/** @param place the name of the message in errors */
export function messageTemplate(message: Message, place: string): MessageTemplate {
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

interface BlockTemplate {
  readonly names: readonly string[];
  readonly render: (values: Values) => ContentBlock;
}

function blockTemplate(block: ContentBlock, place: string): BlockTemplate {
  if (!templated.has(block.type)) return { names: [], render: () => block };
  const texts = Object.entries(block).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string" && templatedFields.has(key)
      ? [{ key, template: readTemplate(value, `${place}.${key}`) }]
      : [],
  );
  return {
    names: texts.flatMap(({ template }) =>
      template.segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.name])),
    ),
    render: (values) => {
      const rendered = texts.map(({ key, template }) => [key, renderText(template, values)]);
      return { ...block, ...(Object.fromEntries(rendered) as object) };
    },
  };
}

/** The blocks that people write. The others are tool calls and results, reasoning, and data of one provider. */
const templated: ReadonlySet<string> = new Set<ContentBlock["type"]>([
  "text",
  "image",
  "audio",
  "video",
  "file",
  "text-plain",
]);

/** The strings in them that people write (docs/reference/prompts.md). */
const templatedFields: ReadonlySet<string> = new Set([
  "text",
  "url",
  "data",
  "mimeType",
  "fileId",
  "filename",
  "title",
  "context",
]);

/** Empty text blocks are left out, as by the constructors of messages. */
function isNotEmpty(block: ContentBlock): boolean {
  return block.type !== "text" || block.text !== "";
}
