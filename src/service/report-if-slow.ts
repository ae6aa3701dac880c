const SLOW_AFTER_MS = 2000;

export async function reportIfSlow<Result>(work: Promise<Result>, report: () => void): Promise<Result> {
  const timer = setTimeout(report, SLOW_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
