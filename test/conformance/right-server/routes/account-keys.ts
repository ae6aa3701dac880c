import { readJson } from '../body.ts';
import type { StoredKey } from '../keys.ts';
import { showPage } from '../page.ts';
import { Problem, refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { FieldFault } from '../record.ts';
import type { Answer, Call } from '../service.ts';
import { formatTime, parseTime } from '../times.ts';

const SCOPES = ['read', 'webhooks'];

/** `GET /v1/key`: what the key of the request is for. */
export function readKey({ account, key, query }: Call): Answer {
  refuse(readQuery(query, []).faults);
  const { id = '', scopes = [], expiresAtMs = null } = key ?? {};
  return {
    status: 200,
    body: { account, id, scopes, expiresAt: expiresAtMs === null ? null : formatTime(expiresAtMs) },
  };
}

/** `POST /v1/accounts/{account}/keys`: the only response that shows the key. */
export async function createKey({ service, account, request }: Call): Promise<Answer> {
  const { label = null, scopes = ['read'], expiresAt = null } = await readJson(request);
  const faults: FieldFault[] = [];
  const isLabel = label === null || (typeof label === 'string' && label.length <= 100);
  if (!isLabel)
    faults.push({ pointer: '/label', code: 'invalid_value', detail: 'has more than 100 characters' });
  const areScopes =
    Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope));
  if (!areScopes)
    faults.push({
      pointer: '/scopes',
      code: 'invalid_value',
      detail: `is not a list of ${SCOPES.join(', ')}`,
    });
  const expiresAtMs = typeof expiresAt === 'string' ? parseTime(expiresAt) : expiresAt;
  const isFuture = typeof expiresAtMs === 'number' && expiresAtMs > service.now();
  if (expiresAtMs !== null && !isFuture)
    faults.push({ pointer: '/expiresAt', code: 'invalid_value', detail: 'is not a time to come' });
  if (faults.length > 0) throw new Problem('invalid_fields', 'The key cannot be created', { errors: faults });
  const options = { label, scopes, expiresAtMs } as Partial<StoredKey>;
  const { key, stored } = service.keys.create(account, options, service.now());
  return { status: 201, body: { ...showKey(stored), key } };
}

/** `GET /v1/accounts/{account}/keys` */
export function listKeys(call: Call): Answer {
  const keys = call.service.keys.ofAccount(call.account);
  return showPage(call, 'keys', keys, { idOf: ({ id }) => id, show: showKey });
}

/** `DELETE /v1/accounts/{account}/keys/{id}`: the next request with the key is refused. */
export function revokeKey({ service, account, path }: Call): Answer {
  const stored = service.keys.ofAccount(account).find(({ id }) => id === path['id']);
  if (stored === undefined) throw new Problem('not_found', 'There is no such key');
  stored.revokedAtMs ??= service.now();
  return { status: 204 };
}

/** `POST /v1/accounts/{account}/keys/{id}/roll`: another key, while the old one is accepted until its grace is over. */
export async function rollKey({ service, account, path, request }: Call): Promise<Answer> {
  const old = service.keys.ofAccount(account).find(({ id }) => id === path['id']);
  if (old === undefined) throw new Problem('not_found', 'There is no such key');
  const graceMs = readGrace((await readJson(request))['grace'] ?? '24h');
  if (graceMs === undefined) {
    const errors = [
      {
        pointer: '/grace',
        code: 'invalid_value',
        detail: 'is neither 0 nor a time of at most 30d, such as 24h',
      },
    ];
    throw new Problem('invalid_fields', 'The key cannot be rolled', { errors });
  }
  const nowMs = service.now();
  const endMs = old.expiresAtMs ?? Infinity;
  if (old.revokedAtMs !== null || endMs <= nowMs) throw new Problem('key_not_active', 'The key has ended');
  // The new key gets the lifetime that the old one was given.
  const expiresAtMs = old.expiresAtMs === null ? null : nowMs + endMs - old.createdAtMs;
  const { key, stored } = service.keys.create(account, { ...old, expiresAtMs }, nowMs);
  old.expiresAtMs = Math.min(endMs, nowMs + graceMs);
  const replaced = { id: old.id, expiresAt: formatTime(old.expiresAtMs) };
  return { status: 201, body: { ...showKey(stored), key, replaced } };
}

const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readGrace(text: unknown): number | undefined {
  if (text === '0') return 0;
  const parts = typeof text === 'string' ? /^([1-9][0-9]{0,7})([smhd])$/.exec(text) : null;
  const ms = Number(parts?.[1]) * (UNITS_MS[parts?.[2] ?? ''] ?? Number.NaN);
  return ms <= 30 * 86_400_000 ? ms : undefined;
}

function showKey({ id, account, label, scopes, createdAtMs, expiresAtMs, revokedAtMs }: StoredKey) {
  return {
    id,
    account,
    label,
    scopes,
    createdAt: formatTime(createdAtMs),
    expiresAt: expiresAtMs === null ? null : formatTime(expiresAtMs),
    revokedAt: revokedAtMs === null ? null : formatTime(revokedAtMs),
  };
}
