import { FairSlots } from '../../../values/fair-slots.ts';
import { Problem } from '../../../values/problem.ts';
import type { RandomBytes } from '../../../values/reference.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { archivedBefore } from '../archives/archive.ts';
import { type ChangeReader, isOfHistory } from '../changes/change.ts';
import { historyChanged, NotInHistory } from '../changes/changes.ts';
import { timeRange } from '../list/list.ts';
import type { SealHead } from '../seals/seal.ts';
import { type Sealer, sealAt } from '../seals/seals.ts';
import type { ListedSummer, ReadTotalsOptions, TotalsReader } from '../totals/total.ts';
import { readTotalsOfList } from '../totals/totals.ts';
import {
  EXPORT_LIFETIME_MS,
  type Export,
  type ExportRequest,
  type ExportStore,
  newExportId,
  paidRange,
} from './export.ts';

export type ExportingStore = ExportStore &
  TotalsReader &
  ListedSummer &
  ChangeReader &
  Pick<Sealer, 'readSeal' | 'sealChanges'>;

/** If more changes than this are not sealed yet, for example after an import, an export has no seal. */
const MAX_UNSEALED = 1000;

export interface ExportLimits {
  perAccount: number;
  perProcess: number;
}

const RETRY_SECONDS = 10;
const STORED_RETRY_SECONDS = 3600;

function tooManyExports(scope: 'running' | 'stored'): Problem {
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

export const exportSlots = ({ perAccount, perProcess }: ExportLimits) =>
  new FairSlots(perProcess, { most: perAccount, refusal: () => tooManyExports('running') });

interface StartOptions {
  nowMs: number;
  randomBytes: RandomBytes;
  mostStored: number;
}

export async function startExport(
  store: ExportingStore,
  account: string,
  { filter, ...request }: ExportRequest,
  { nowMs, randomBytes, mostStored, ...options }: StartOptions & ReadTotalsOptions,
): Promise<Export> {
  const sealed = await store.readSeal(account);
  const { archive, ...totals } = await readTotalsOfList(store, account, filter, paidRange(filter), options);
  const { fromMs } = timeRange(filter);
  const started: Export = {
    id: newExportId(randomBytes),
    account,
    ...request,
    filter,
    ...totals,
    seal: await sealOf(store, account, sealed, totals.asOf),
    ...archivedBefore(archive, { fromMs, timeZone: filter.timeZone }),
    startedAtMs: nowMs,
    result: null,
  };
  const limits = { expiredMs: nowMs - EXPORT_LIFETIME_MS, perAccount: mostStored };
  if (!(await store.createExport(started, limits))) throw tooManyExports('stored');
  return started;
}

/** Returns null if the changes are damaged, which `transactions verify` reports. The export continues. */
async function sealOf(
  store: ExportingStore,
  account: string,
  from: SealHead,
  asOf: number,
): Promise<string | null> {
  if (asOf < from.sequence || asOf - from.sequence > MAX_UNSEALED) return null;
  return sealAt(store, account, from, asOf).catch((error) => {
    if (error instanceof StoreUnavailable) throw error;
    return null;
  });
}

export async function retrieveExport(
  store: Pick<ExportStore, 'findExport'>,
  account: string,
  id: string,
  nowMs: number,
): Promise<Export | undefined> {
  const found = await store.findExport(account, id);
  return found !== undefined && Math.abs(nowMs - found.startedAtMs) < EXPORT_LIFETIME_MS ? found : undefined;
}

/** Throws: NotInHistory if the database was restored. An export must not have rows of two histories. */
export async function checkHistory(
  store: Pick<ChangeReader, 'listChanges'>,
  { account, asOf, asOfId }: Pick<Export, 'account' | 'asOf' | 'asOfId'>,
): Promise<void> {
  if (asOfId === null) return;
  const query = { account, after: asOf, afterId: asOfId, limit: 1 };
  const found = await store.listChanges(query);
  if (!isOfHistory(query, found)) throw new NotInHistory(historyChanged(asOf, found), found.headSequence);
}
