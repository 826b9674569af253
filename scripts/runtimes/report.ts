/** Thrown by a check that cannot run on this machine. The message is the reason. */
export class Skipped extends Error {}

/** Prints a line with the time for each check as it ends. The message of a failed check follows its line. */
export class Report {
  private passed = 0;
  private failed = 0;
  private skipped = 0;
  private readonly begun: number = performance.now();
  private readonly only: string | undefined;

  /** @param only run only the checks whose line contains this text */
  constructor(only: string | undefined) {
    this.only = only;
  }

  async check(group: string, name: string, run: () => Promise<void>): Promise<void> {
    if (this.only === undefined || `${group}: ${name}`.includes(this.only)) await this.need(group, name, run);
  }

  /** Runs a check that others need, whatever `only` is. Returns its result, or undefined if it failed. */
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

  /** Prints the counts and returns the exit code. */
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
