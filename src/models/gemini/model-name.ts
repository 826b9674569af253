/** The name of a model without its prefix: `models/`, `publishers/google/models/`. */
export function modelName(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1);
}
