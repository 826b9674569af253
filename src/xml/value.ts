/**
 * An element, or an attribute, by its name: an object with that one key. `__proto__` is a key like any other, never the
 * prototype.
 */
export type XmlObject = Record<string, XmlContent>;

/**
 * The content of an element: its text, or, with child elements or attributes, a list of all in document order. The
 * content of an attribute is its value.
 */
export type XmlContent = string | XmlItem[];

/** A child element, an attribute (its name begins with `@`), or a run of text beside them. */
export type XmlItem = string | XmlObject;

/** An object with this one key. */
export function objectOf(name: string, content: XmlContent): XmlObject {
  if (name === "__proto__") return { [name]: content };
  // The engine makes this several times as fast as a literal with a computed key.
  const object: XmlObject = {};
  object[name] = content;
  return object;
}
