import { FairPlaces } from '../../../values/fair-places.ts';
import { Unavailable } from '../../../values/unavailable.ts';

/** An export that runs in this process. */
export interface RunningExport {
  account: string;
  /** Ends it: its response is cut. */
  stop(): void;
}

export interface ExportLimits {
  perAccount: number;
  perProcess: number;
}

/** Too many exports of the account are running or stored. */
export class TooManyExports extends Error {
  override readonly name = 'TooManyExports';
  readonly scope: 'running' | 'stored';

  constructor(scope: TooManyExports['scope']) {
    super(`too many exports of the account are ${scope}`);
    this.scope = scope;
  }
}

/** The exports of this process, which are limited. */
export class RunningExports {
  readonly #limits: ExportLimits;
  readonly #running = new Set<RunningExport>();
  #isStopped = false;

  constructor(limits: ExportLimits) {
    this.#limits = limits;
  }

  /** Throws: TooManyExports; Unavailable if the process is full or stops. */
  begin(begun: RunningExport): void {
    if (this.#isStopped) throw new Unavailable('service_stopping');
    const places = new FairPlaces(this.#limits.perProcess);
    for (const { account } of this.#running) places.take(account);
    if (places.heldBy(begun.account) >= this.#limits.perAccount) throw new TooManyExports('running');
    places.takeFree(begun.account, 'exports_limit');
    this.#running.add(begun);
  }

  end(ended: RunningExport): void {
    this.#running.delete(ended);
  }

  /** Ends all exports. */
  stop(): void {
    this.#isStopped = true;
    for (const running of this.#running) running.stop();
  }
}
