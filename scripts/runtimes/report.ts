/** What a check says when it cannot be made here, and why. */
export class Skipped extends Error {}

/** Prints a line for each check as it ends, with its time. What a failed one says follows it. */
export class Report {
  private passed = 0;
  private failed = 0;
  private skipped = 0;
  private readonly begun: number = performance.now();
  private readonly only: string | undefined;

  /** @param only checks whose line has this text are made, and no others */
  constructor(only: string | undefined) {
    this.only = only;
  }

  async check(group: string, name: string, run: () => Promise<void>): Promise<void> {
    if (this.only === undefined || `${group}: ${name}`.includes(this.only)) await this.need(group, name, run);
  }

  /** A check that others need: always made. Gives what it gives, and nothing if it failed. */
  async need<T>(group: string, name: string, run: () => Promise<T>): Promise<T | undefined> {
    const begun = performance.now();
    const line = (mark: string): string =>
      `${mark} ${group}: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`;
    try {
      const result = await run();
      this.passed++;
      console.log(line("✓"));
      return result;
    } catch (error) {
      if (error instanceof Skipped) {
        this.skipped++;
        console.log(`${line("-")} skipped: ${error.message}`);
      } else {
        this.failed++;
        console.log(line("✗"));
        console.log(indented(error instanceof Error ? error.message : String(error)));
      }
      return undefined;
    }
  }

  /** Prints the sum, and gives the exit code. */
  close(): number {
    console.log(`\n${((performance.now() - this.begun) / 1000).toFixed(0)} s`);
    const skipped = this.skipped === 0 ? "" : `, ${this.skipped} skipped`;
    console.log(`${this.passed} passed, ${this.failed} failed${skipped}`);
    return this.failed === 0 && this.passed > 0 ? 0 : 1;
  }
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "    ");
}
