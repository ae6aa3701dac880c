import { attribute, escaped, htmlPage } from '../../http/reference/html-page.ts';
import type { Session } from '../../keys/api-key.ts';
import { stateOfSession } from '../../keys/session.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { PATHS } from '../paths.ts';

/** Who a page is for. */
export interface PageReader {
  person: string;
  formToken: string;
  expiresAtMs: number;
  /** Whether the person can open accounts, and see who looked. */
  canLook: boolean;
  canAudit: boolean;
}

/** Whether a reader is at the accounts or at who looked. */
type StaffPage = 'accounts' | 'looks';

/** A time for people, to the minute, with its day or without. */
const shownTime = (timeMs: number, form: 'day and time' | 'time' = 'day and time'): string => {
  const text = formatTimestamp(timeMs);
  const [day, time] = [text.slice(0, 10), text.slice(11, 16)];
  return `<time datetime="${text}">${form === 'time' ? time : `${day} ${time}`}</time>`;
};

function signedInPage(title: string, reader: PageReader, at: StaffPage, body: string): string {
  const { person, formToken, expiresAtMs, canLook, canAudit } = reader;
  const links = [
    canLook && at !== 'accounts' ? `<a href="${PATHS.staff}">Accounts</a>` : '',
    canAudit && at !== 'looks' ? `<a href="${PATHS.looks}">Who looked</a>` : '',
  ].filter((link) => link !== '');
  return htmlPage(
    title,
    `<div class="row bar">
<p>Signed in as <b>${escaped(person)}</b> until ${shownTime(expiresAtMs, 'time')} UTC</p>
<form class="row" method="post" action="${PATHS.signOut}">${links.join(' ')} ${tokenField(formToken)}<button class="quiet">Sign out</button></form>
</div>
<h1>${escaped(title)}</h1>
${body}`,
  );
}

const faultOf = (fault: string | null) =>
  fault === null ? '' : `<p class="fault" role="alert">${escaped(fault)}</p>\n`;

const tokenField = (formToken: string) => `<input type="hidden" name="token" value=${attribute(formToken)}>`;

/** What a chooser of accounts shows. */
export interface Chooser {
  /** What was searched for; empty without a search. */
  find: string;
  /** The accounts that were found; null without a search. */
  found: readonly string[] | null;
  /** Whether not all accounts that match are listed. */
  isCut: boolean;
  /** The accounts that the person looked at last. */
  recent: readonly string[];
  /** What was entered, if it was refused, and why. */
  account: string;
  reason: string;
  fault: string | null;
}

export function chooserPage(reader: PageReader, chooser: Chooser): string {
  const { find, found, isCut, recent, reason, fault } = chooser;
  const listed = found ?? [];
  const others = recent.filter((account) => !listed.includes(account));
  const offered = [...listed, ...others];
  const wanted = chooser.account || (listed.length === 1 ? listed[0] : find);
  const chosen = offered.find((account) => account === wanted);
  // The keyboard begins where the next step is: at the reason, at what was found, or at the search.
  const next = fault === null ? listed[0] : offered[0];
  const focus = chosen !== undefined ? 'reason' : next === undefined ? 'find' : `account ${next}`;
  const focused = (name: string) => (focus === name ? ' autofocus' : '');
  const choices = (legend: string, accounts: readonly string[]) =>
    accounts.length === 0
      ? ''
      : `<fieldset><legend>${escaped(legend)}</legend>
${accounts.map((account) => choice(account, account === chosen ? ' checked' : focused(`account ${account}`))).join('\n')}
</fieldset>
`;
  const more = isCut
    ? '<p class="quieter">There are more. Type more of the name, from its beginning.</p>\n'
    : '';
  const none =
    found?.length === 0 ? `<p role="status">No account has “${escaped(find)}” in its name.</p>\n` : '';
  return signedInPage(
    'Look at an account',
    reader,
    'accounts',
    `${faultOf(fault)}<form class="row" method="get" action="${PATHS.staff}" role="search">
<div class="grows"><label class="name" for="find">Part of its name</label><input id="find" name="find" type="search" value=${attribute(find)} maxlength="64" autocomplete="off" spellcheck="false"${focused('find')}></div>
<button>Find</button>
</form>
${none}${more}${
  offered.length > 0
    ? `<form method="post" action="${PATHS.sessions}">
${tokenField(reader.formToken)}<input type="hidden" name="find" value=${attribute(find)}>
${choices('Found', listed)}${choices('Looked at last', others)}<label class="name" for="reason">Why you look</label>
<div class="row"><div class="grows"><input id="reason" name="reason" value=${attribute(reason)} required maxlength="255" autocomplete="off" aria-describedby="kept"${focused('reason')}></div>
<button>Open</button></div>
<p class="quieter" id="kept">For example the number of a ticket. It is stored with your name, the account and the time.</p>
</form>`
    : ''
}`,
  );
}

const choice = (account: string, attributes: string) =>
  `<label class="choice"><input type="radio" name="account" value=${attribute(account)} required${attributes}><code>${escaped(account)}</code></label>`;

/** What the page of who looked shows. */
export interface Looks {
  account: string;
  person: string;
  /** Null before anything is searched for. */
  sessions: readonly Session[] | null;
  /** The address of older ones, or null. */
  older: string | null;
  fault: string | null;
}

export function looksPage(reader: PageReader, looks: Looks, nowMs: number): string {
  const { account, person, sessions, older, fault } = looks;
  const field = (name: string, label: string, value: string, most: number) =>
    `<div class="grows"><label class="name" for="${name}">${label}</label><input id="${name}" name="${name}" value=${attribute(value)} maxlength="${most}" autocomplete="off" spellcheck="false"></div>`;
  return signedInPage(
    'Who looked',
    reader,
    'looks',
    `${faultOf(fault)}<form class="row" method="get" action="${PATHS.looks}" role="search">
${field('account', 'Account', account, 64)}
${field('person', 'Person', person, 128)}
<button>Find</button>
</form>
<p class="quieter">Sessions of an account, of a person, or both, until a week after they expire. The audit trail has all: <code>transactions audit --person P</code>.</p>
${sessions === null ? '' : sessionsTable(sessions, nowMs)}${older === null ? '' : `<p><a href=${attribute(older)}>Older ones</a></p>`}`,
  );
}

function sessionsTable(sessions: readonly Session[], nowMs: number): string {
  if (sessions.length === 0) return '<p role="status">Nobody looked.</p>';
  const heads = ['Person', 'Account', 'Reason', 'Opened (UTC)', 'Ended (UTC)'];
  return `<div class="wide sessions" tabindex="0" role="region" aria-label="Sessions"><table>
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>
${sessions.map((session) => sessionRow(session, nowMs)).join('\n')}
</tbody>
</table></div>
`;
}

function sessionRow(listed: Session, nowMs: number): string {
  const { account, createdAtMs, session } = listed;
  const { person, reason, openedAtMs } = session;
  const cells = [
    escaped(person),
    `<code>${escaped(account)}</code>`,
    escaped(reason ?? ''),
    openedAtMs === null ? `${shownTime(createdAtMs)}, not opened` : shownTime(openedAtMs),
    endOf(listed, nowMs),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function endOf(listed: Session, nowMs: number): string {
  const { revokedAtMs, expiresAtMs, session } = listed;
  const state = stateOfSession(listed, nowMs);
  if (state === 'ended') return shownTime(revokedAtMs ?? expiresAtMs);
  if (session.openedAtMs === null) return '';
  return state === 'expired' ? shownTime(expiresAtMs) : `open until ${shownTime(expiresAtMs, 'time')}`;
}
