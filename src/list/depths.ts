/**
 * How deep each item of a list stands, from the columns in which their markers do. An item stands inside the one before
 * it if it is indented by two columns more: models indent by two, three or four, whatever the marker's width is, and a
 * single column is a slip.
 */
export class Depths {
  /** Of the open items, from the outermost. */
  private readonly columns: number[] = [];

  /** @returns 0 for the outermost items */
  enter(column: number): number {
    const { columns } = this;
    while (columns.length > 0 && column < (columns.at(-1) as number) + 2) columns.pop();
    columns.push(column);
    return columns.length - 1;
  }
}
