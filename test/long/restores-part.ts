import { runRestores } from '../restores/run-restores.ts';
import { type Part, progress } from './part.ts';

export const restoresPart: Part = {
  name: 'restores',
  promise:
    'After the restore of an older backup, each reader of the change feed that has lost changes notices it, its copy becomes equal, and receivers of webhooks get every change of the history',
  share: 0.05,
  goal: 300,
  async run({ first, count, endsAtMs }) {
    const { onProgress, perSecond } = progress('restores');
    const result = await runRestores({ first, count, endsAtMs, onProgress });
    const { seeds, restores, lost, recordedAgain, refused, unaffected, delivered, repeated } = result;
    return {
      counts: {
        'restores of older backups': restores,
        'changes lost': lost,
        'changes recorded afterwards': recordedAgain,
        'readers that had lost some': refused,
        'other readers': unaffected,
        'changes delivered': delivered,
        'deliveries repeated': repeated,
      },
      seeds,
      figures: `${perSecond()} restores/s`,
      broken: '0',
    };
  },
};
