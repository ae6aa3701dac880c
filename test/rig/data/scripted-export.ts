import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { ExportFormat, ExportManifest, Fetch, Transaction } from '../../../client/src/index.ts';
import { addUp } from '../../model/totals.ts';
import { decimal } from '../../model/transactions.ts';
import { serveHttp } from '../http/loopback.ts';

const TEXTS = ['order-1', null, 'line\r\nend, "quoted"\n', 'Größe 💳', '=1+1', '"', '', '\n'];

export const sampleTransactions: Transaction[] = TEXTS.map((merchantReference, index) => ({
  reference: `${index === 4 ? '-' : 'pay_'}${TEXTS.length - index}`,
  merchantReference,
  status: index % 3 === 0 ? 'pending' : 'completed',
  amount: index === 2 ? '90071992547409931.07' : `${index}.50`,
  currencyCode: index % 2 === 0 ? 'EUR' : 'XTS',
  paidAt: index % 3 === 0 ? null : '2026-03-01T10:00:05.000Z',
  createdAt: `2026-03-01T10:00:${50 - index}.000Z`,
}));

const ID = 'exp_0123456789abcdef';

const HEADER = 'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt\r\n';

export interface ExportFault {
  status?: number;
  headers?: Record<string, string>;
  bytes?: number;
  end?: 'lost' | 'clean' | 'silent';
}

interface ScriptedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  end: 'lost' | 'clean' | 'silent' | null;
}

export interface ScriptedExport {
  file: Buffer;
  rowEnds: ReadonlySet<number>;
  answer: Buffer;
  manifest: ExportManifest;
  faults: ExportFault[];
  said: () => unknown;
  respond(path: string): ScriptedResponse;
}

function csvLine(fields: (string | null)[]): string {
  const cells = fields.map((field) =>
    /[",\r\n]/.test(field ?? '') ? `"${field?.replaceAll('"', '""')}"` : (field ?? ''),
  );
  return `${cells.join(',')}\r\n`;
}

function rowsOf(format: ExportFormat, transactions: readonly Transaction[], isGuarded: boolean): string[] {
  if (format === 'ndjson') return transactions.map((one) => `${JSON.stringify(one)}\n`);
  return transactions.map(({ reference, merchantReference, ...others }) => {
    const [name, text] = [reference, merchantReference].map((one) =>
      isGuarded && /^[=-]/.test(one ?? '') ? `'${one}` : one,
    );
    return csvLine([
      name ?? '',
      text ?? null,
      ...Object.values(others).map((value) => value && String(value)),
    ]);
  });
}

export function scriptedExport(
  format: ExportFormat,
  transactions: readonly Transaction[] = sampleTransactions,
  isGuarded = false,
): ScriptedExport {
  const rows = rowsOf(format, transactions, isGuarded).map((row) => Buffer.from(row));
  const header = Buffer.from(format === 'csv' ? HEADER : '');
  const file = Buffer.concat([header, ...rows]);
  let end = header.length;
  const rowEnds = new Set([end, ...rows.map((row) => (end += row.length))]);
  const added = transactions.map((one) => ({ ...one, amountMinor: BigInt(one.amount.replace('.', '')) }));
  const manifest: ExportManifest = {
    id: ID,
    state: 'complete',
    format,
    ...(format === 'csv' && { spreadsheet: isGuarded }),
    filters: {},
    asOf: 25,
    asOfId: 'chg_25',
    seal: '5a'.repeat(32),
    rows: rows.length,
    bytes: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
    totals: addUp(added, () => '').map(({ period: _, hundredths, ...sum }) => ({
      ...sum,
      amount: decimal(hundredths),
    })),
    startedAt: '2026-03-01T12:00:00.000Z',
    finishedAt: '2026-03-01T12:00:01.000Z',
  };

  const answer = () =>
    Buffer.concat([
      file,
      Buffer.from(format === 'csv' ? '' : `${JSON.stringify({ export: scripted.said() })}\n`),
    ]);

  const scripted: ScriptedExport = {
    file,
    rowEnds,
    answer: file,
    manifest,
    faults: [],
    said: () => manifest,
    respond: (path) => {
      const url = new URL(path, 'http://service.test');
      if (url.pathname === `/v1/exports/${ID}`) return json(200, scripted.said());
      if (url.pathname !== `/v1/transactions.${format}`) return json(404, {});
      const { status = 200, headers = {}, bytes, end = 'lost' } = scripted.faults.shift() ?? {};
      if (status !== 200) return { ...json(status, {}), headers };
      return {
        status,
        headers: { 'export-id': ID, 'export-as-of': '25', 'export-as-of-id': 'chg_25', ...headers },
        body: answer().subarray(0, bytes),
        end: bytes === undefined ? null : end,
      };
    },
  };
  scripted.answer = answer();
  return scripted;
}

const json = (status: number, body: unknown): ScriptedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  end: null,
});

export function fetchOf(scripted: Pick<ScriptedExport, 'respond'>, chunkBytes = 64): Fetch {
  return async (url, { signal }) => {
    const { pathname, search } = new URL(url);
    const { status, headers, body, end } = scripted.respond(pathname + search);
    let at = 0;
    const read = async () => {
      const from = at;
      at += chunkBytes;
      if (from < body.length) return { done: false, value: new Uint8Array(body.subarray(from, at)) };
      if (end === null || end === 'clean') return { done: true };
      if (end === 'silent') await once(signal, 'abort');
      throw new TypeError('terminated');
    };
    return {
      status,
      headers: { get: (name) => headers[name] ?? null },
      text: async () => body.toString(),
      body: { getReader: () => ({ read, cancel: async () => {} }) },
    };
  };
}

export async function serveExport(
  t: TestContext,
  { respond }: Pick<ScriptedExport, 'respond'>,
  onClose = (_path: string, _isComplete: boolean) => {},
): Promise<string> {
  return serveHttp(t, (request, response) => {
    const { status, headers, body, end } = respond(request.url ?? '');
    response.on('close', () => onClose(request.url ?? '', response.writableFinished));
    response.writeHead(status, headers);
    if (end === null || end === 'clean') response.end(body);
    else if (end === 'lost') response.write(body, () => response.destroy());
    else response.write(body);
    response.flushHeaders();
  });
}
