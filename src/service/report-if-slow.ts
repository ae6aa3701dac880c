const SLOW_AFTER_MS = 2000;

/** Calls `report` if work on the database takes longer than two seconds. */
export async function reportIfSlow<Result>(work: Promise<Result>, report: () => void): Promise<Result> {
  const timer = setTimeout(report, SLOW_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
