import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Export, exportLines, type Format, showManifest } from '../export.ts';
import { checkRange, FILTER_NAMES, type Filter, matcher, readFilter } from '../filter.ts';
import { randomLetters } from '../keys.ts';
import { type Fault, Problem, refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { Answer, Call, Service } from '../service.ts';
import { addUp } from '../totals.ts';
import type { Transaction } from '../transaction.ts';

const KEPT_MS = 86_400_000;

/** `GET /v1/transactions.csv` */
export const exportCsv = (call: Call) => sendExport(call, 'csv');

/** `GET /v1/transactions.ndjson` */
export const exportNdjson = (call: Call) => sendExport(call, 'ndjson');

/** `GET /v1/exports/{id}` */
export function readManifest({ service, account, path }: Call): Answer {
  return { status: 200, body: showManifest(findExport(service, account, path['id'] ?? '')) };
}

/** A range of totals and exports has any length, but is not inverted. */
export function refuseInverted(filter: Filter): Fault[] {
  return checkRange(filter).filter(({ code }) => code === 'date_range_inverted');
}

async function sendExport(call: Call, format: Format): Promise<undefined> {
  const { one, begin } = readExportQuery(call, format);
  call.response.writeHead(200, {
    'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    'Export-Id': one.id,
    'Export-As-Of': String(one.asOf),
    ...(one.asOfId === null ? {} : { 'Export-As-Of-Id': one.asOfId }),
  });
  // A failure destroys the connection, so that a cut response does not end like a whole one.
  await pipeline(Readable.from(exportBytes(call.service, one, begin)), call.response);
  if (format === 'csv') complete(call.service, one);
}

function* exportBytes(service: Service, one: Export, begin: number): Generator<string> {
  yield* exportLines(one, begin, one.transactions.length);
  compareWithTotals(service, one);
  if (one.format === 'csv') return;
  complete(service, one);
  yield `${JSON.stringify({ export: showManifest(one) })}\n`;
}

/** What was sent must be what the changes up to `asOf` make. */
function compareWithTotals(service: Service, one: Export): void {
  const changes = service.ledger(one.account).changes.slice(0, one.asOf);
  const latest = new Map(changes.map(({ transaction }) => [transaction.reference, transaction]));
  one.totals = addUp([...latest.values()].filter(matcher(one.filter)), undefined);
  if (isDeepStrictEqual(one.totals, addUp(one.transactions, undefined))) return;
  throw new Error(`The export ${one.id} differs from the totals`);
}

function complete(service: Service, one: Export): void {
  one.isComplete = true;
  one.finishedAtMs = service.now();
}

function readExportQuery({ service, account, query }: Call, format: Format): { one: Export; begin: number } {
  const further = format === 'csv' ? ['spreadsheet', 'resume', 'after'] : ['resume', 'after'];
  const { values, faults } = readQuery(query, [...FILTER_NAMES, ...further]);
  const filter = readFilter(values, service.statuses, faults);
  faults.push(...refuseInverted(filter));
  const spreadsheet = values.get('spreadsheet') ?? 'false';
  if (spreadsheet !== 'true' && spreadsheet !== 'false') {
    faults.push({ parameter: 'spreadsheet', code: 'invalid_spreadsheet', detail: 'must be true or false' });
  }
  const [resume, after] = [values.get('resume'), values.get('after')];
  if (resume === undefined && after !== undefined) {
    faults.push({ parameter: 'after', code: 'invalid_after', detail: 'after is sent with resume' });
  }
  refuse(faults);
  if (resume !== undefined) return resumeExport(service, account, format, resume, after);
  const ledger = service.ledger(account);
  const transactions = ledger.snapshot().filter(matcher(filter));
  const asOf = ledger.headSequence;
  const one = begin(service, {
    account,
    format,
    spreadsheet: spreadsheet === 'true',
    filter,
    asOf,
    asOfId: ledger.idAt(asOf),
    transactions,
  });
  return { one, begin: 0 };
}

type Begun = Pick<Export, 'account' | 'format' | 'spreadsheet' | 'filter' | 'asOf' | 'asOfId'> & {
  transactions: Transaction[];
};

function begin(service: Service, begun: Begun): Export {
  const id = `exp_${randomLetters(16)}`;
  const startedAtMs = service.now();
  const one = { ...begun, id, totals: [], parts: [0], isComplete: false, startedAtMs, finishedAtMs: null };
  service.exports.set(id, one);
  return one;
}

/** Continues an export after the last row that the caller has. */
function resumeExport(
  service: Service,
  account: string,
  format: Format,
  id: string,
  after: string | undefined,
) {
  const one = service.exports.get(id);
  if (one === undefined || one.account !== account || one.format !== format) {
    throw refused('resume', 'invalid_resume', 'There is no such export of this format');
  }
  const index = one.transactions.findIndex(({ reference }) => reference === after);
  if (after !== undefined && index < 0)
    throw refused('after', 'invalid_after', 'This row is not in the export');
  const begin = index + 1;
  one.isComplete = false;
  one.parts = [...one.parts.filter((part) => part < begin), begin];
  return { one, begin };
}

function findExport(service: Service, account: string, id: string): Export {
  const one = service.exports.get(id);
  if (one?.account === account && one.startedAtMs + KEPT_MS > service.now()) return one;
  throw new Problem('not_found', 'There is no such export');
}

function refused(parameter: string, code: string, detail: string): Problem {
  return new Problem(code, detail, { errors: [{ parameter, code, detail }] });
}
