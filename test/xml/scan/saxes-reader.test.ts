import { SaxesParser } from "#saxes";
import { expect, test } from "vitest";
import * as states from "#src/xml/scan/saxes-reader.js";

test.each([
  ["<a/", states.TAG_SLASH],
  ["<a b", states.ATTRIBUTE_NAME],
  ["<a b ", states.ATTRIBUTE_SPACE],
  ["<a b=", states.ATTRIBUTE_EQUALS],
  ['<a b="', states.ATTRIBUTE_VALUE],
  ["<!-- ", states.COMMENT_TEXT],
  ["<!-- -", states.COMMENT_HYPHEN],
])("%s leads saxes to state %d", (text, state) => {
  const saxes = new SaxesParser();
  saxes.write(text);
  expect(saxes).toHaveProperty("state", state);
});
