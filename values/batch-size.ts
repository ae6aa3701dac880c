export const FIRST_BATCH_SIZE = 250;
const MIN_BATCH_SIZE = 10;
const MAX_BATCH_SIZE = 4000;

export function batchSizeAfter(size: number, tookMs: number, targetMs: number): number {
  const factor = Math.min(2, targetMs / Math.max(tookMs, 1));
  return Math.max(MIN_BATCH_SIZE, Math.min(MAX_BATCH_SIZE, Math.round(size * factor)));
}
