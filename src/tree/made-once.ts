/** A function that is called once for each object. Its result is kept as long as the object. */
export function madeOnce<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, Made>();
  // Not getOrInsert(), because most calls find a result, and need no function.
  return (key) => {
    let made = known.get(key);
    if (made === undefined) known.set(key, (made = make(key)));
    return made;
  };
}

/** The same for plain data, which may be changed: the function is called again once the data has another text. */
export function madeForText<Key extends object, More extends readonly unknown[], Made>(
  make: (key: Key, ...more: More) => Made,
): (key: Key, ...more: More) => Made {
  const known = new WeakMap<Key, { readonly text: string; readonly made: Made }>();
  return (key, ...more) => {
    const text = textOf(key);
    const last = known.get(key);
    if (last !== undefined && last.text === text) return last.made;
    const made = make(key, ...more);
    if (text !== undefined) known.set(key, { text, made });
    return made;
  };
}

/** `undefined` for data that contains itself. */
function textOf(data: object): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

/** The value of a key. The first time it is made. */
export function getOrInsert<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
