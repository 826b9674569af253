import type { ContentBlock } from "../messages/blocks/blocks.js";
import type { Message } from "../messages/message.js";
import { readTemplate } from "./read-template.js";
import { renderText, type Values } from "./values.js";

/** A message whose texts are templates. */
export interface MessageTemplate {
  readonly names: readonly string[];
  readonly render: (values: Values) => Message;
}

/** @param place what the message is called in an error */
export function messageTemplate(message: Message, place: string): MessageTemplate {
  const blocks = message.content.map((block, index) => blockTemplate(block, `${place}.content[${index}]`));
  return {
    names: blocks.flatMap(({ names }) => names),
    render: (values) => {
      const content = blocks.map(({ render }) => render(values)).filter(saysSomething);
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
    typeof value === "string" && key !== "type" && key !== "detail"
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

/** The others are not what somebody writes: calls and their results, thoughts, what only one provider knows. */
const templated: ReadonlySet<string> = new Set<ContentBlock["type"]>([
  "text",
  "image",
  "audio",
  "video",
  "file",
  "text-plain",
]);

/** As where messages are made: an empty text gives no block. */
function saysSomething(block: ContentBlock): boolean {
  return block.type !== "text" || block.text !== "";
}
