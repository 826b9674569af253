import type { MarkupProblem } from "../problem.js";

/** Resolves the prefixes of the open elements (Namespaces in XML 1.0 and 1.1). */
export interface Namespaces {
  /**
   * @param attributes names and values in turn
   * @returns the namespace of the element
   */
  open(name: string, attributes: readonly string[], mayUnbind: boolean): string;
  close(): void;
}

/** The namespaces of prefixes. Each scope inherits from that of the element around it. */
type Bindings = Record<string, string>;

export function xmlNamespaces(fail: (code: MarkupProblem, found: string) => never): Namespaces {
  const scopes: Bindings[] = [Object.assign(Object.create(null) as Bindings, { xml: ofXml, xmlns: ofXmlns })];

  /** The prefix and the local name. */
  const split = (name: string): readonly [string, string] => {
    const parts = name.split(":");
    if (parts.length > 2 || parts.includes("")) fail("not_well_formed", `the name ${name}`);
    return parts.length > 1 ? (parts as [string, string]) : ["", name];
  };

  const declared = (attributes: readonly string[], mayUnbind: boolean): Bindings => {
    let scope = scopes.at(-1) as Bindings;
    const around = scope;
    for (let i = 0; i < attributes.length; i += 2) {
      const [prefix, local] = split(attributes[i] as string);
      if (prefix !== "xmlns" && (prefix !== "" || local !== "xmlns")) continue;
      const bound = prefix === "" ? "" : local;
      const uri = (attributes[i + 1] as string).trim();
      const isWrong =
        (uri === "" && bound !== "" && !mayUnbind) ||
        bound === "xmlns" ||
        uri === ofXmlns ||
        (bound === "xml") !== (uri === ofXml);
      if (isWrong) fail("not_well_formed", `${attributes[i] as string}="${uri}"`);
      if (scope === around) scope = Object.create(around) as Bindings;
      scope[bound] = uri;
    }
    return scope;
  };

  return {
    open: (name, attributes, mayUnbind) => {
      const scope = declared(attributes, mayUnbind);
      const [prefix] = split(name);
      const uri = scope[prefix] ?? "";
      if (prefix === "xmlns") fail("not_well_formed", `the name ${name}`);
      if (prefix !== "" && uri === "") fail("unbound_prefix", `the prefix ${prefix}`);
      const seen = new Set<string>();
      for (let i = 0; i < attributes.length; i += 2) {
        const [own, local] = split(attributes[i] as string);
        const space = own === "" ? "" : (scope[own] ?? fail("unbound_prefix", `the prefix ${own}`));
        if (seen.size === seen.add(`{${space}}${local}`).size) fail("invalid_attribute", `two of ${local}`);
      }
      scopes.push(scope);
      return uri;
    },
    close: () => scopes.pop(),
  };
}

const ofXml = "http://www.w3.org/XML/1998/namespace";
const ofXmlns = "http://www.w3.org/2000/xmlns/";
