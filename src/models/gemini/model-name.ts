/** The name of a model without what may stand before it: `models/`, `publishers/google/models/`. */
export function modelName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1);
}
