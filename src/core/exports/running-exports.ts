/** An export that runs in this process. */
export interface RunningExport {
  account: string;
  /** Null until it is stored. */
  id: string | null;
  /** Ends it: its response is cut. */
  stop(reason: StopReason): void;
}

export type StopReason = 'stopped' | 'superseded';

export interface ExportLimits {
  perAccount: number;
  perProcess: number;
}

/** Too many exports run already, of the account or of the process. */
export class TooManyExports extends Error {
  override readonly name = 'TooManyExports';
  readonly scope: 'account' | 'process';

  constructor(scope: 'account' | 'process') {
    super(`too many exports of the ${scope} are running`);
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

  /** Throws: TooManyExports, also after the stop. */
  begin(begun: RunningExport): void {
    if (this.#isStopped) throw new TooManyExports('process');
    const ofAccount = [...this.#running].filter(({ account }) => account === begun.account);
    if (ofAccount.length >= this.#limits.perAccount) throw new TooManyExports('account');
    if (this.#running.size >= this.#limits.perProcess) throw new TooManyExports('process');
    this.#running.add(begun);
  }

  end(ended: RunningExport): void {
    this.#running.delete(ended);
  }

  /** Ends the export with an id, which is taken up again: its place is free at once. */
  supersede(superseded: string): void {
    for (const running of this.#running) {
      if (running.id !== superseded) continue;
      this.end(running);
      running.stop('superseded');
    }
  }

  /** Ends all exports. Each can be taken up again, also on another instance. */
  stop(): void {
    this.#isStopped = true;
    for (const running of this.#running) running.stop('stopped');
  }
}
