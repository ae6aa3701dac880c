import type { Api, Totals } from './api.ts';
import type { Failure } from './failure.ts';
import type { Filter } from './route.ts';

export interface ChartProps {
  api: Api;
  filter: Filter;
  /** Another one loads the chart again. */
  version: string;
  /** What can be charted: at least one row. */
  totals: Totals;
  onFailure(failure: Failure): void;
}
