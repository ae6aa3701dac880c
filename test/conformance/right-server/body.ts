import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.ts';

const MAX_BODY_BYTES = 1_048_576;

/** Reads a body that is a JSON object. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  requireType(request, 'application/json');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) {
      // The rest is not read, so the connection cannot be used again.
      throw new Problem(
        'body_too_large',
        `A body has ${MAX_BODY_BYTES} bytes at most`,
        {},
        { Connection: 'close' },
      );
    }
    pieces.push(piece);
  }
  return parseObject(Buffer.concat(pieces).toString());
}

export function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('invalid_body', 'The body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('invalid_body', 'The body is not a JSON object');
  refuseRepeatedNames(text);
  return { ...value };
}

/** No body has an object in another: all names are of one object. */
function refuseRepeatedNames(text: string): void {
  const seen = new Set<string>();
  for (const [, string = ''] of text
    .matchAll(/("(?:[^"\\]|\\.)*")(?:\s*:)?/g)
    .filter(([one]) => one.endsWith(':'))) {
    const name: string = JSON.parse(string);
    if (seen.has(name)) {
      const errors = [
        { pointer: `/${name}`, code: 'duplicate_field', detail: 'is in the body more than once' },
      ];
      throw new Problem('invalid_fields', `/${name} is in the body more than once`, { errors });
    }
    seen.add(name);
  }
}

export function requireType(request: IncomingMessage, type: string): void {
  const [given = ''] = (request.headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() === type) return;
  throw new Problem('unsupported_media_type', `The body must be ${type}`);
}
