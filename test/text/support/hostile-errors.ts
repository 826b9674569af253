/** Values that a tool, a model or a library may throw, and that fail when they are read as an error. */
export const hostileErrors: Readonly<Record<string, () => unknown>> = {
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of an error": () => revoked(new Error("x")),
  "a proxy whose traps throw": () =>
    new Proxy(new Error("x"), { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail }),
  "an error whose message throws": () => withGetter("message"),
  "an error whose name throws": () => withGetter("name"),
  "an error whose code throws": () => withGetter("code"),
  "an error whose cause throws": () => withGetter("cause"),
  "an error whose stack throws": () => withGetter("stack"),
  "an error whose message is no text": () => Object.assign(new Error("x"), { message: { n: 1n } }),
  "an error that is its own cause": () => {
    const error = new Error("x");
    error.cause = error;
    return error;
  },
  "an object without a prototype": () => Object.create(null) as unknown,
  "an object whose toString() throws": () => ({ toString: fail }),
  "an object whose then() throws": () => ({ then: fail }),
  "a symbol": () => Symbol("x"),
  "a BigInt": () => 1n,
  undefined: () => undefined,
  null: () => null,
};

function fail(): never {
  throw new Error("This cannot be read.");
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function withGetter(field: string): Error {
  return Object.defineProperty(new Error("x"), field, { get: fail });
}
