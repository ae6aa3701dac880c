import type { TotalsDifference } from '../totals/totals.ts';

/** The rows that were read differ from the state of the account at the number of the export. */
export class ExportDiffers extends Error {
  override readonly name = 'ExportDiffers';
  readonly differences: readonly TotalsDifference[];

  constructor(message: string, differences: readonly TotalsDifference[] = []) {
    super(message);
    this.differences = differences;
  }
}
