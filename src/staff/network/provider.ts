import type * as OpenIdClient from 'openid-client';
import { lazy } from '../../../values/lazy.ts';
import { quote } from '../../../values/quote.ts';
import type { PendingSignIn } from '../sealed-cookies.ts';
import { type ProviderSettings, SignInFailed, type SignInFailure, type SignInProvider } from '../sign-in.ts';
import type { Claims } from '../staff.ts';

const TIMEOUT_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 60;
const ADDRESSES_FRESH_MS = 5 * 60_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** Loads the library at the first sign-in, so that a service without staff never loads it. */
const library = lazy(() => import('openid-client'));

export function openIdProvider(settings: ProviderSettings, monotonicMs: () => number): SignInProvider {
  let known: { config: OpenIdClient.Configuration; atMs: number } | null = null;
  let discovering: Promise<OpenIdClient.Configuration> | null = null;

  /** Reads the provider's metadata. The result fetches the signing keys anew, so it knows rotated ones. */
  async function discover(): Promise<OpenIdClient.Configuration> {
    const client = await library();
    const { issuer, clientId, clientSecret } = settings;
    const config = await client.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticationOf(client, clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: boundedFetch,
        // OIDC_ISSUER allows http only for a provider on this machine.
        ...(new URL(issuer).protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
      },
    );
    // Makes the library check the signature of a token, although the token came over TLS.
    client.enableNonRepudiationChecks(config);
    known = { config, atMs: monotonicMs() };
    return config;
  }

  /** The result is cached, so that strangers who begin sign-ins cause few requests to the provider. */
  async function addresses(): Promise<OpenIdClient.Configuration> {
    if (known !== null && monotonicMs() - known.atMs < ADDRESSES_FRESH_MS) return known.config;
    discovering ??= discover().finally(() => {
      discovering = null;
    });
    return discovering;
  }

  return {
    addressOf: ({ state, nonce, verifier }, isAskedAgain) =>
      explained(async () => {
        const client = await library();
        return client.buildAuthorizationUrl(await addresses(), {
          redirect_uri: settings.redirectUrl,
          scope: settings.scopes,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // The provider asks for a password again, because another person may be at the browser now.
          ...(isAskedAgain && { prompt: 'login' }),
        }).href;
      }, 'provider_invalid'),

    claimsOf: async (query, pending) => {
      const config = await explained(discover, 'provider_invalid');
      return exchange(config, `${settings.redirectUrl}?${query}`, pending);
    },
  };
}

async function exchange(
  config: OpenIdClient.Configuration,
  address: string,
  { state, nonce, verifier }: PendingSignIn,
): Promise<Claims> {
  const client = await library();
  let isProviderAsked = false;
  config[client.customFetch] = (...request) => {
    isProviderAsked = true;
    return boundedFetch(...request);
  };
  const tokens = await explained(
    () =>
      client.authorizationCodeGrant(config, new URL(address), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }),
    () => (isProviderAsked ? 'provider_invalid' : 'stale'),
  );
  return explained(async () => {
    const claims = tokens.claims() as Claims & { sub: string };
    if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
    // Many providers send groups and mail addresses only in this response, not in the token.
    const described = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
    return { ...described, ...claims };
  }, 'provider_invalid');
}

/** Basic is preferred, because RFC 6749 requires every provider to accept it. */
const authenticationOf =
  (client: typeof OpenIdClient, secret: string): OpenIdClient.ClientAuth =>
  (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret);
    return authenticate(server, ...request);
  };

const boundedFetch: OpenIdClient.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  let bytes = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) controller.error(new TypeError('the answer is too long'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bounded) ?? null, response);
};

async function explained<Result>(
  call: () => Promise<Result>,
  otherwise: SignInFailure | (() => SignInFailure),
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const client = await library();
    const { code, message } = error as { code?: string; message: string };
    const fail = (failure: SignInFailure, cause: string) => new SignInFailed(failure, cause);
    if (error instanceof client.AuthorizationResponseError)
      throw fail(FAILURES[error.error] ?? 'provider_invalid', quote(error.error));
    if (error instanceof client.ResponseBodyError)
      throw error.error === 'invalid_grant'
        ? fail('stale', error.error)
        : fail(isAway(error.status) ? 'provider_unavailable' : 'provider_invalid', quote(error.error));
    if ((code === undefined || NO_ANSWER.has(code)) && isAway(statusOf(error)))
      throw fail('provider_unavailable', `${message}${causeOf(error)}`);
    throw fail(typeof otherwise === 'function' ? otherwise() : otherwise, `${message}${causeOf(error)}`);
  }
}

const causeOf = (error: unknown) => {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return `: ${cause.message}`;
  const status = statusOf(error);
  return status === undefined ? '' : `: ${status}`;
};

function statusOf(error: unknown): number | undefined {
  const { cause } = error as { cause?: { status?: unknown; body?: { status?: unknown } } };
  const status = cause?.status ?? cause?.body?.status;
  return typeof status === 'number' ? status : undefined;
}

/** True if a later attempt may succeed. If false, the set-up must be changed. */
const isAway = (status: number | undefined) =>
  status === undefined || status < 400 || status >= 500 || status === 408 || status === 429;

/** If an error is not listed here, the set-up is wrong. Sources: RFC 6749, 4.1.2.1; OpenID Core, 3.1.2.6. */
const FAILURES: Readonly<Record<string, SignInFailure>> = {
  access_denied: 'refused',
  login_required: 'refused',
  interaction_required: 'refused',
  account_selection_required: 'refused',
  server_error: 'provider_unavailable',
  temporarily_unavailable: 'provider_unavailable',
};

const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
