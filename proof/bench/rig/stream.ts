import { ReadableStream } from 'node:stream/web';

const LINES_AT_ONCE = 500;

export function* ndjsonPieces(rows: readonly string[], accountPrefix = ''): Generator<Uint8Array> {
  for (let from = 0; from < rows.length; from += LINES_AT_ONCE) {
    const lines = rows.slice(from, from + LINES_AT_ONCE).map((row) => ndjsonOf(row, accountPrefix));
    yield new TextEncoder().encode(lines.join(''));
  }
}

function ndjsonOf(row: string, accountPrefix: string): string {
  const [account, reference, merchantReference, status, amount, currencyCode, paidAt, createdAt] =
    row.split(',');
  const fields = {
    reference,
    merchantReference,
    status,
    amount,
    currencyCode,
    paidAt: paidAt || null,
    createdAt,
  };
  return `${JSON.stringify({ account: `${accountPrefix}${account}`, ...fields })}\n`;
}

export async function stream(operatorUrl: string, key: string, body: Iterable<Uint8Array>): Promise<void> {
  const answer = await fetch(`${operatorUrl}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: ReadableStream.from(body),
    duplex: 'half',
  } as RequestInit);
  let recorded = 0;
  let other = 0;
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    recorded += chunk.split('"recorded"').length - 1;
    other += chunk.split(/"(?:invalid|conflict|unavailable)"/).length - 1;
  }
  if (answer.status !== 200 || recorded === 0 || other > 0) throw new Error('the stream was not recorded');
}
