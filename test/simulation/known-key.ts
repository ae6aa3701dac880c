/** What a client knows of a key. */
export interface KnownKey {
  name: string;
  id: string;
  key: string;
  account: string;
  expiresAtMs: number | null;
  /** When the first request to revoke it was sent. */
  revokeSentMs: number;
  /** From when on it is known to be revoked. */
  revokedMs: number;
}

export function knownKey(
  name: string,
  key: Pick<KnownKey, 'id' | 'key' | 'account' | 'expiresAtMs'>,
): KnownKey {
  return { name, ...key, revokeSentMs: Number.POSITIVE_INFINITY, revokedMs: Number.POSITIVE_INFINITY };
}
