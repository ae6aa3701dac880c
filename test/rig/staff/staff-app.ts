import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { App, AppDependencies } from '../../../src/service/app.ts';
import { SYSTEM_CLOCK } from '../../../src/service/app.ts';
import { buildOperatorApp } from '../../../src/service/operator-app.ts';
import { openIdProvider } from '../../../src/staff/network/provider.ts';
import type { StaffSettings } from '../../../src/staff/sign-in.ts';
import { parseRole, type StaffRole } from '../../../src/staff/staff.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { testConfig, testMetrics } from '../service/app.ts';
import { CLIENT_ID, CLIENT_SECRET } from './certified-provider.ts';

export const REDIRECT_URL = 'http://127.0.0.1:3001/staff/callback';
export const PUBLIC_URL = 'https://payments.example/';
const STAFF_SECRET = 'a secret of the tests, long enough to be one';

export const rolesOfText = (...texts: string[]): StaffRole[] =>
  texts.map((text) => {
    const role = parseRole(text);
    if ('fault' in role) throw new Error(role.fault);
    return role;
  });

export const staffSettings = (issuer: string, changes: Partial<StaffSettings> = {}): StaffSettings => ({
  issuer,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  redirectUrl: REDIRECT_URL,
  scopes: 'openid email groups',
  roles: rolesOfText('groups:support=read', 'groups:eu=read+webhooks@eu-', 'groups:audit=audit'),
  personClaim: 'email',
  publicUrl: PUBLIC_URL,
  ...changes,
});

export interface StaffApp extends App {
  store: Store;
  settings: StaffSettings;
  logged: string[];
}

export async function buildStaffApp(
  settings: StaffSettings,
  overrides: Partial<AppDependencies> = {},
): Promise<StaffApp> {
  const { clock = SYSTEM_CLOCK } = overrides;
  const store = overrides.store ?? (await openStore(IN_MEMORY_URL, clock.now)).store;
  const logged: string[] = [];
  const app = await buildOperatorApp({
    config: testConfig,
    cursorSecrets: [STAFF_SECRET],
    randomBytes,
    metrics: testMetrics,
    logger: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
    staff: { settings, provider: openIdProvider(settings, clock.monotonicMs) },
    ...overrides,
    clock,
    store,
  });
  return { ...app, store, settings, logged };
}

export function otherAt(text: string, at: number): string {
  const characters = [...text];
  return characters.with(at, characters.at(at) === 'A' ? 'B' : 'A').join('');
}

export interface StaffAnswer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  text: string;
  location: string;
}

export class StaffBrowser {
  readonly cookies = new Map<string, string>();
  readonly #provider = new Map<string, string>();

  async send(
    app: App,
    path: string,
    form?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StaffAnswer> {
    const response = await app.server.inject({
      method: form === undefined ? 'GET' : 'POST',
      url: path,
      headers: {
        ...(this.cookies.size > 0 && { cookie: cookieHeader(this.cookies) }),
        ...(form !== undefined && {
          origin: new URL(REDIRECT_URL).origin,
          'content-type': 'application/x-www-form-urlencoded',
        }),
        ...headers,
      },
      ...(form !== undefined && { payload: new URLSearchParams(form).toString() }),
    });
    keepCookies(this.cookies, [response.headers['set-cookie'] ?? []].flat());
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      location: String(response.headers.location ?? ''),
    };
  }

  async atProvider(address: string): Promise<string> {
    let reached = address;
    let form: URLSearchParams | undefined;
    while (!reached.startsWith(REDIRECT_URL)) {
      const response = await fetch(reached, {
        redirect: 'manual',
        headers: { cookie: cookieHeader(this.#provider) },
        ...(form !== undefined && { method: 'POST', body: form }),
      });
      keepCookies(this.#provider, response.headers.getSetCookie());
      const page = await response.text();
      // If another person is signed in at the provider, its page submits a form to end that person's session.
      const [, action] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
      const location = response.headers.get('location') ?? action;
      if (location === undefined) throw new Error(`the provider answered ${response.status}: ${page}`);
      const fields = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      form =
        action === undefined
          ? undefined
          : new URLSearchParams(Object.fromEntries(fields.map(([, name, value]) => [name, value])));
      reached = new URL(location, reached).href;
    }
    return reached;
  }

  async signIn(app: App, finishing = app, path = '/staff'): Promise<StaffAnswer> {
    const begun = await this.send(app, path);
    const back = await this.atProvider(begun.location);
    return this.send(finishing, pathOf(back));
  }

  async sendForm(app: App, path: string, form: Readonly<Record<string, string>>): Promise<StaffAnswer> {
    return this.send(app, path, { token: await this.formToken(app), ...form });
  }

  async formToken(app: App): Promise<string> {
    const { text, location } = await this.send(app, '/staff');
    if (location === '/staff/looks') return tokenIn((await this.send(app, location)).text);
    return tokenIn(text);
  }
}

const tokenIn = (text: string) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';

export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

const cookieHeader = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function keepCookies(cookies: Map<string, string>, set: readonly string[]): void {
  for (const text of set) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (value === '' || /;\s*(?:Max-Age=0|expires=Thu, 01 Jan 1970)/i.test(text)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
