import { createHash } from 'node:crypto';
import { Broken, NotJudged } from './outcomes.js';
import { FIELDS } from './transaction.js';
import { TooLarge } from './transport.js';

/** @typedef {'csv' | 'ndjson'} Format */

export const FORMATS = /** @type {const} */ (['csv', 'ndjson']);

const TIMEOUT_MS = 120_000;

/**
 * Exports run one after the other, because an account may have only a few in progress.
 * @type {WeakMap<object, Promise<unknown>>}
 */
const running = new WeakMap();

/**
 * @param {AccountClient} client @param {Format} format
 * @param {Query} [query]
 * @param {RequestOptions} [options]
 * @returns {Promise<Exchange>}
 */
export async function requestExport(client, format, query, options) {
  const before = running.get(client.transport);
  const turn = (before ?? Promise.resolve())
    .then(() => client.send(`/v1/transactions.${format}`, { timeoutMs: TIMEOUT_MS, ...options, query }))
    .catch((error) => {
      throw error instanceof TooLarge ? new NotJudged(error.message) : error;
    });
  running.set(
    client.transport,
    turn.catch(() => undefined),
  );
  return turn;
}

/**
 * @typedef {object} ExportFile
 * @property {Transaction[]} rows
 * @property {Buffer} bytes of the rows, without the manifest line
 * @property {string} id
 * @property {number} asOf
 * @property {any} manifest of NDJSON
 * @property {Exchange} response
 */

/**
 * Throws: `Broken` if the export is incomplete or malformed.
 * @param {Exchange} response @param {Format} format @returns {ExportFile}
 */
export function readExport(response, format) {
  const { status, summary, curl } = response;
  if (status !== 200) throw new Broken(`an export as ${format}`, summary, curl);
  const id = response.header('export-id') ?? '';
  const asOf = Number(response.header('export-as-of') ?? Number.NaN);
  const parsed = format === 'csv' ? readCsv(response) : readNdjson(response);
  return { id, asOf, response, ...parsed };
}

/** @param {Parameters<typeof requestExport>} request */
export const readExported = async (...request) => readExport(await requestExport(...request), request[1]);

/** @param {Exchange} response */
function readCsv(response) {
  const [header, ...lines] = parseCsv(response.text, response.curl);
  if (JSON.stringify(header) !== JSON.stringify(FIELDS))
    throw new Broken(`the header line ${FIELDS.join(',')}`, String(header), response.curl);
  const rows = lines.map((cells) => {
    if (cells.length !== FIELDS.length)
      throw new Broken('seven cells in a line', cells.join(',').slice(0, 300), response.curl);
    return /** @type {Transaction} */ (
      /** @type {unknown} */ (
        Object.fromEntries(
          FIELDS.map((field, index) => [field, cells[index] ?? (isNullable(field) ? null : '')]),
        )
      )
    );
  });
  return { rows, bytes: response.bytes, manifest: undefined };
}

/** @param {string} field */
const isNullable = (field) => field === 'merchantReference' || field === 'paidAt';

/** @param {Exchange} response */
function readNdjson({ bytes, text, curl }) {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Broken('a line end at the end', text.slice(-200), curl);
  const parsed = lines.map((line) => parseLine(line, curl));
  const manifest = parsed.pop()?.export;
  if (manifest === undefined)
    throw new Broken('{"export":...} as the last line', lines.at(-1)?.slice(0, 200) ?? 'nothing', curl);
  const manifestLength = Buffer.byteLength(/** @type {string} */ (lines.at(-1))) + 1;
  return { rows: parsed, bytes: bytes.subarray(0, bytes.length - manifestLength), manifest };
}

/** @param {string} line @param {string} curl */
function parseLine(line, curl) {
  try {
    return JSON.parse(line);
  } catch {
    throw new Broken('JSON on each line', line.slice(0, 200), curl);
  }
}

/** Cells as in RFC 4180. @param {string} text @param {string} curl */
export function parseCsv(text, curl) {
  if (!text.endsWith('\r\n'))
    throw new Broken('CR LF at the end of the file', JSON.stringify(text.slice(-40)), curl);
  const lines = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let cells = [];
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null)
      throw new Broken('CSV as in RFC 4180', JSON.stringify(text.slice(start, start + 80)), curl);
    // An empty cell without quotes is null. An empty text has quotes.
    if (match[1] === undefined) cells.push(match[2] === '' ? null : match[2]);
    else cells.push(match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    lines.push(cells);
    cells = [];
  }
  return lines;
}

/** @param {Buffer} bytes */
export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
