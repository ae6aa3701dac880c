import { counted } from '../../../values/counted.ts';
import { type ExportRestart, MAX_RESTARTS } from '../../src/export.ts';

export const restartNote = ({ rows, restart }: ExportRestart): string =>
  `The export was cut after ${counted(rows, 'transaction')}. Starting again from the beginning (${restart} of ${MAX_RESTARTS}).`;
