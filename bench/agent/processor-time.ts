/**
 * Milliseconds of processor time (user and system) of a pass after warm-up: the mean of several passes, or one if it
 * takes seconds. Unlike wall-clock time, it does not depend on other work on the machine.
 */
export async function processorTime(pass: () => Promise<unknown>): Promise<number> {
  const once = async (): Promise<number> => {
    const before = process.cpuUsage();
    await pass();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  for (let spent = 0; spent < warmUp;) spent += await once();
  let [spent, runs] = [0, 0];
  for (; spent < enough; runs++) spent += await once();
  return spent / runs;
}

const warmUp = 3_000;
const enough = 1_000;
