import { FairSlots } from '../../../values/fair-slots.ts';
import { Problem } from '../../../values/problem.ts';
import { Unavailable } from '../../../values/unavailable.ts';

export interface RunningExport {
  account: string;
  stop(): void;
}

export interface ExportLimits {
  perAccount: number;
  perProcess: number;
}

const RETRY_SECONDS = 10;
const STORED_RETRY_SECONDS = 3600;

export function tooManyExports(scope: 'running' | 'stored'): Problem {
  const [seconds, detail] =
    scope === 'running'
      ? [
          RETRY_SECONDS,
          `The account already runs two exports. Try again in ${RETRY_SECONDS} s, or when one of them has ended.`,
        ]
      : [
          STORED_RETRY_SECONDS,
          'The account has begun 5,000 exports in the last 24 hours, which is the maximum. Try again later.',
        ];
  return new Problem('too_many_exports', detail, { headers: { 'retry-after': String(seconds) } });
}

export class RunningExports {
  readonly #perAccount: number;
  readonly #slots: FairSlots;
  readonly #running = new Set<RunningExport>();
  #isStopped = false;

  constructor({ perAccount, perProcess }: ExportLimits) {
    this.#perAccount = perAccount;
    this.#slots = new FairSlots(perProcess);
  }

  begin(begun: RunningExport): void {
    if (this.#isStopped) throw new Unavailable('service_stopping');
    if (this.#slots.heldBy(begun.account) >= this.#perAccount) throw tooManyExports('running');
    this.#slots.takeFree(begun.account, 'exports_limit');
    this.#running.add(begun);
  }

  end(ended: RunningExport): void {
    if (this.#running.delete(ended)) this.#slots.giveBack(ended.account);
  }

  stop(): void {
    this.#isStopped = true;
    for (const running of this.#running) running.stop();
  }
}
