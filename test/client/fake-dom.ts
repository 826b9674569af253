/**
 * The minimum of a document that react-dom needs to mount components with plain elements. The tests of the hook check
 * when React renders, not what a browser shows.
 */
class FakeNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly tagName: string;
  readonly namespaceURI = "http://www.w3.org/1999/xhtml";
  readonly childNodes: FakeNode[] = [];
  readonly style = {};
  ownerDocument: FakeNode | null = null;
  parentNode: FakeNode | null = null;
  textContent = "";
  readonly activeElement = null;

  constructor(nodeType: number, nodeName: string) {
    this.nodeType = nodeType;
    this.nodeName = nodeName;
    this.tagName = nodeName;
  }

  get documentElement(): this {
    return this;
  }

  get defaultView(): unknown {
    return globalThis;
  }

  createElement(name: string): FakeNode {
    const element = new FakeNode(1, name.toUpperCase());
    element.ownerDocument = this;
    return element;
  }

  createTextNode(text: string): FakeNode {
    const node = new FakeNode(3, "#text");
    node.ownerDocument = this;
    node.textContent = text;
    return node;
  }

  appendChild(child: FakeNode): FakeNode {
    child.parentNode = this;
    this.childNodes.push(child);
    return child;
  }

  insertBefore(child: FakeNode, next: FakeNode): FakeNode {
    child.parentNode = this;
    this.childNodes.splice(this.childNodes.indexOf(next), 0, child);
    return child;
  }

  removeChild(child: FakeNode): FakeNode {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
    return child;
  }

  setAttribute(): void {}
  removeAttribute(): void {}
  addEventListener(): void {}
  removeEventListener(): void {}
}

const page = new FakeNode(9, "#document");

/** Defines the globals that react-dom needs. Returns a function that removes them. */
export function installFakeDom(): () => void {
  const globals = {
    document: page,
    window: globalThis,
    navigator: { userAgent: "" },
    HTMLIFrameElement: FakeNode,
    IS_REACT_ACT_ENVIRONMENT: true,
  };
  const missing = Object.entries(globals).filter(([name]) => !(name in globalThis));
  for (const [name, value] of missing)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name] of missing) Reflect.deleteProperty(globalThis, name);
  };
}

export function fakeContainer(): Element {
  return page.createElement("div") as unknown as Element;
}
