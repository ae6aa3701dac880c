import { FairPlaces } from '../../values/fair-places.ts';
import { Unavailable } from '../../values/unavailable.ts';

/** An export that runs in this process. */
export interface RunningExport {
  account: string;
  /** Null until it is stored. */
  id: string | null;
  /** Ends it: its response is cut. */
  stop(reason: CutReason): void;
}

export type CutReason = 'stopped' | 'superseded';

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

  /**
   * Begins an export, which has the place of the one that it resumes, if that one still runs.
   *
   * Throws: TooManyExports; Unavailable if the process is full or stops.
   */
  begin(begun: RunningExport, resumed: string | null = null): void {
    if (this.#isStopped) throw new Unavailable('service_stopping');
    const places = new FairPlaces(this.#limits.perProcess);
    for (const { id, account } of this.#running) if (id === null || id !== resumed) places.take(account);
    if (places.heldBy(begun.account) >= this.#limits.perAccount) throw new TooManyExports('running');
    places.takeFree(begun.account, 'exports_limit');
    this.#running.add(begun);
  }

  end(ended: RunningExport): void {
    this.#running.delete(ended);
  }

  /** Notes the id of an export that is stored now, and ends an earlier one with it. */
  supersede(stored: RunningExport, id: string): void {
    for (const running of this.#running) {
      if (running.id !== id) continue;
      this.end(running);
      running.stop('superseded');
    }
    stored.id = id;
  }

  /** Ends all exports. Each can be resumed, also on another instance. */
  stop(): void {
    this.#isStopped = true;
    for (const running of this.#running) running.stop('stopped');
  }
}
