/**
 * Stores results, so the compiler cannot remove the work. Exported, so it cannot prove that nobody reads it.
 *
 * @public
 */
export const sink: { value: unknown } = { value: undefined };

export function keep(value: unknown): void {
  sink.value = value;
}

export async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const value of source) sink.value = value;
}
