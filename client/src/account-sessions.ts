import type { Scope } from './account-keys.ts';
import { allItems, isPageOf, pathOfPage } from './collection.ts';
import { checkTexts, pathSegment } from './filters.ts';
import { checkNames } from './known-names.ts';
import { jsonBody } from './request.ts';
import { requestBody } from './request-body.ts';
import { isObject, isText, isTextOrNull } from './response.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';

/** One person's access to an account for some hours. The person does not get a key of the account. */
export interface AccountSession {
  id: string;
  account: string;
  /** The text by which your platform identifies the person. */
  person: string;
  scopes: Scope[];
  reason: string | null;
  createdAt: string;
  expiresAt: string;
}

export interface ListedSession extends AccountSession {
  /** Null until the person opens the session. */
  openedAt: string | null;
  state: 'waiting' | 'open' | 'ended' | 'expired' | (string & {});
}

/** A new session with its code. No other result contains the code. */
export interface CreatedSession extends AccountSession {
  /** The code works only once, and only until codeExpiresAt. */
  code: string;
  codeExpiresAt: string;
  /** The address to which you redirect the person's browser; null if the service has no PUBLIC_URL. */
  url: string | null;
}

export interface NewSession {
  /** 1 to 128 characters. */
  person: string;
  /** Default: `read` alone. */
  scopes?: readonly Scope[] | undefined;
  /** Seconds, 60 to 43,200. Default: 28,800. */
  expiresIn?: number | undefined;
  /** At most 255 characters. Default: null. */
  reason?: string | null | undefined;
}

/** The operator's key needs the scope `sessions`. */
export class AccountSessions {
  readonly #send: Send;
  readonly #path: string;

  constructor(send: Send, root: string) {
    this.#send = send;
    this.#path = `${root}/sessions`;
  }

  /**
   * Creates a session for a person whom you have signed in. If the response is lost, the request is not sent
   * again. Then create another session. Nobody can open a session whose code was lost.
   *
   * @example
   * const { url } = await platform.account('store-1').sessions.create({ person: 'ada@shop.example' });
   * console.log(`Redirect the browser, at once: ${url}`);
   * @throws InvalidFieldsError
   */
  create(session: NewSession, options: RequestOptions = {}): Promise<CreatedSession> {
    checkNames('field', session, ['person', 'scopes', 'expiresIn', 'reason']);
    const call = { method: 'POST', path: this.#path, body: jsonBody(session), isRepeatable: false } as const;
    return requestBody(this.#send, call, { what: 'a new session', is: isCreatedSession }, options);
  }

  /** Lists the sessions, newest first. With `person`, lists only the sessions of that person. */
  list(given: RequestOptions & { person?: string } = {}): Promise<ListedSession[]> {
    checkRequestOptions(given, ['person']);
    const { person, ...options } = given;
    const page = { what: 'a page of sessions', is: isPageOf(isListedSession) };
    const path = person === undefined ? this.#path : this.#pathOf(person);
    return allItems((cursor) => requestBody(this.#send, pathOfPage(path, cursor), page, options));
  }

  /**
   * Ends the session. Within a second, every instance of the service refuses it.
   *
   * @throws NotFoundError
   */
  async end(id: string, options: RequestOptions = {}): Promise<void> {
    checkRequestOptions(options);
    await this.#send({ method: 'DELETE', path: `${this.#path}/${pathSegment('id', id)}` }, options);
  }

  async endAll(person: string, options: RequestOptions = {}): Promise<void> {
    checkRequestOptions(options);
    await this.#send({ method: 'DELETE', path: this.#pathOf(person) }, options);
  }

  #pathOf(person: string): string {
    return `${this.#path}?${new URLSearchParams(checkTexts({ person }, ['person']))}`;
  }
}

const isAccountSession = (value: unknown): value is AccountSession =>
  isObject(value) &&
  ['id', 'account', 'person', 'createdAt', 'expiresAt'].every((name) => isText(value[name])) &&
  isTextOrNull(value['reason']) &&
  Array.isArray(value['scopes']) &&
  value['scopes'].every(isText);

function isListedSession(value: unknown): value is ListedSession {
  if (!isAccountSession(value)) return false;
  const { state, openedAt } = value as Partial<ListedSession>;
  return isText(state) && isTextOrNull(openedAt);
}

function isCreatedSession(value: unknown): value is CreatedSession {
  if (!isAccountSession(value)) return false;
  const { code, codeExpiresAt, url } = value as Partial<CreatedSession>;
  return isText(code) && isText(codeExpiresAt) && isTextOrNull(url);
}
