import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from '../http/loopback.ts';
import { atEnd } from '../run/at-end.ts';
import { CLIENT_ID } from './certified-provider.ts';

export interface Lies {
  claims?: Readonly<Record<string, unknown>>;
  header?: Readonly<Record<string, unknown>>;
  signature?: 'of another key' | 'none' | 'hmac of the client secret';
  userinfo?: Readonly<Record<string, unknown>>;
  metadata?: Readonly<Record<string, unknown>>;
  answers?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

export interface LyingProvider {
  issuer: string;
  lies: Lies;
  requests: string[];
  wayBack(address: string): string;
}

const ADA = { email: 'ada@platform.example', email_verified: true, groups: ['support', 'audit'] };

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function startLyingProvider(clientSecret: string): Promise<LyingProvider> {
  const own = keyPair();
  const other = keyPair();
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'ES256' };
  let nonce = '';
  const issuer = await serveHttp({ after: atEnd }, (request, response) => void answer(request, response));

  function idToken({ claims, header, signature }: Lies): string {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const times = { iat: nowSeconds, exp: nowSeconds + 300 };
    const said = { iss: issuer, sub: 'ada', aud: CLIENT_ID, nonce, ...times, ...ADA, ...claims };
    const algorithms = { 'of another key': 'ES256', none: 'none', 'hmac of the client secret': 'HS256' };
    const alg = signature === undefined ? 'ES256' : algorithms[signature];
    const signed = `${base64url({ alg, kid: 'own', ...header })}.${base64url(said)}`;
    if (signature === 'none') return `${signed}.`;
    if (signature === 'hmac of the client secret')
      return `${signed}.${createHmac('sha256', clientSecret).update(signed).digest('base64url')}`;
    return `${signed}.${signatureOf(signed, (signature === undefined ? own : other).privateKey)}`;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', issuer);
    provider.requests.push(pathname);
    await text(request);
    const { lies } = provider;
    const lie = lies.answers?.[pathname];
    if (lie !== undefined) return lie(response);
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        id_token_signing_alg_values_supported: ['ES256', 'HS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        ...lies.metadata,
      }),
      '/keys': () => ({ keys: [jwk] }),
      '/token': () => ({ access_token: 'access', token_type: 'Bearer', id_token: idToken(lies) }),
      '/userinfo': () => ({ sub: 'ada', ...lies.userinfo }),
    };
    const body = answers[pathname]?.() ?? { error: 'not_found' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  }

  const provider: LyingProvider = {
    issuer,
    lies: {},
    requests: [],
    wayBack: (address) => {
      const { searchParams } = new URL(address);
      nonce = searchParams.get('nonce') ?? '';
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back.href;
    },
  };
  return provider;
}

const signatureOf = (signed: string, key: KeyObject) =>
  sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
