import type { TotalsDifference } from '../totals/totals.ts';

/** What was read is not what the account had at the number of the export. */
export class ExportDiffers extends Error {
  override readonly name = 'ExportDiffers';
  readonly differences: readonly TotalsDifference[];

  constructor(message: string, differences: readonly TotalsDifference[] = []) {
    super(message);
    this.differences = differences;
  }
}
