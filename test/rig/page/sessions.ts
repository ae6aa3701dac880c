import { randomBytes } from 'node:crypto';
import { makeSession } from '../../../src/keys/session.ts';
import { serveHttp } from '../http/loopback.ts';
import { atEnd } from '../run/at-end.ts';
import type { TestApp } from '../service/app.ts';
import { someEntry } from '../store/audit.ts';

export const PERSON = 'ada@platform.example';
const HOUR_MS = 3_600_000;

export async function codeFor(
  { store, clock }: Pick<TestApp, 'store' | 'clock'>,
  account: string,
  expiresInMs = 8 * HOUR_MS,
): Promise<{ code: string; id: string; expiresAtMs: number }> {
  const wanted = {
    account,
    person: PERSON,
    reason: null,
    scopes: ['read'] as const,
    expiresInMs,
    maker: null,
  };
  const { code, stored } = makeSession(wanted, clock.now(), randomBytes);
  await store.createApiKey(stored, someEntry(account));
  return { code, id: stored.id, expiresAtMs: stored.expiresAtMs };
}

/** A platform of another origin. Each of its pages shows the address after `?frame=` in a frame. */
export const openPlatform = (): Promise<string> =>
  serveHttp({ after: atEnd }, (request, response) => {
    const framed = new URL(request.url ?? '', 'http://platform').searchParams.get('frame');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>Platform</title><h1>Platform</h1>${
        framed === null ? '' : `<iframe title="Payments" width="1000" height="700" src="${framed}"></iframe>`
      }`,
    );
  });
