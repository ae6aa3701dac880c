import { runRestores } from '../restores/run-restores.ts';
import { type Part, progress } from './part.ts';

export const restoresPart: Part = {
  name: 'restores',
  promise:
    'After the restore of an older backup, each reader of the change feed that has lost changes notices it, and its copy becomes equal',
  share: 0.05,
  goal: 300,
  async run({ first, count, endsAtMs }) {
    const { onProgress, perSecond } = progress('restores');
    const result = await runRestores({ first, count, endsAtMs, onProgress });
    const { seeds, restores, lost, recordedAgain, refused, unaffected } = result;
    return {
      counts: {
        'restores of older backups': restores,
        'changes lost': lost,
        'changes recorded afterwards': recordedAgain,
        'readers that had lost some': refused,
        'other readers': unaffected,
      },
      seeds,
      figures: `${perSecond()} restores/s`,
      broken: '0',
    };
  },
};
