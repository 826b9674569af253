/** A name "must start with a letter or an underscore". So `2d` becomes `_2d`, and `_2d` becomes `__2d`. */
export function toGeminiName(name: string): string {
  return /^_*[^a-z_]/i.test(name) ? `_${name}` : name;
}

export function toOwnName(name: string): string {
  return /^_+[^a-z_]/i.test(name) ? name.slice(1) : name;
}
