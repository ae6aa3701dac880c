/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { serveHttp } from '../http/loopback.ts';
import { atEnd } from '../run/at-end.ts';

export const CLIENT_ID = 'transactions';
export const CLIENT_SECRET = 'a-secret-of-the-tests-that-is-long-enough';

export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface CertifiedProvider {
  issuer: string;
  /** The person whom the provider signs in at once. If null, the provider shows a sign-in page. */
  atBrowser: string | null;
  isUp: boolean;
  rotateKeys(): void;
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'ES256' };
}

export async function startCertifiedProvider(people: People, redirectUrls: readonly string[]) {
  let handle: RequestListener = (_request, response) => void response.destroy();
  const issuer = await serveHttp({ after: atEnd }, (request, response) => {
    if (state.isUp) handle(request, response);
    else request.socket.destroy();
  });

  const rotateKeys = () => {
    const provider = providerOf(issuer, people, redirectUrls);
    const callback = provider.callback();
    handle = (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
      if (!pathname.startsWith('/interaction/')) return callback(request, response);
      const login = searchParams.get('name') ?? state.atBrowser;
      if (login === null) return askForName(response);
      provider
        .interactionFinished(request, response, { login: { accountId: login } })
        .catch(() => response.destroy());
    };
  };
  const state: CertifiedProvider = { issuer, atBrowser: null, isUp: true, rotateKeys };
  rotateKeys();
  return state;
}

function askForName(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(
    '<!doctype html><html lang="en"><title>Provider</title><form><label>Name <input name="name" autofocus></label><button>Continue</button></form>',
  );
}

const providerOf = (issuer: string, people: People, redirectUrls: readonly string[]) =>
  new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: redirectUrls,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    scopes: ['openid', 'email', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    jwks: { keys: [signingKey()] },
    cookies: { keys: ['a secret of the tests'] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    renderError: (context, { error, error_description: description }) => {
      context.body = `${error}: ${description}`;
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    loadExistingGrant: async ({ oidc: { client, session, provider } }) => {
      const known = session.grantIdFor(client.clientId);
      if (known !== undefined) return provider.Grant.find(known);
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
