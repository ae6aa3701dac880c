import { formatTimestamp } from '../../../values/calendar.ts';
import type { Session } from '../../keys/api-key.ts';
import { stateOfSession } from '../../keys/session.ts';
import { PATHS } from '../staff.ts';
import { attribute, escaped, htmlPage } from './html-page.ts';
import type { StaffTexts } from './staff-texts.ts';

export interface PageReader {
  person: string;
  formToken: string;
  expiresAtMs: number;
  /** `canLook`: the person can open accounts. `canAudit`: the person can see who looked at accounts. */
  canLook: boolean;
  canAudit: boolean;
}

type StaffPage = 'accounts' | 'looks';

const shownTime = (timeMs: number, form: 'day and time' | 'time' = 'day and time'): string => {
  const text = formatTimestamp(timeMs);
  const [day, time] = [text.slice(0, 10), text.slice(11, 16)];
  return form === 'time'
    ? `<time datetime="${text}">${time} UTC</time>`
    : `<time class="day" datetime="${text}">${day} ${time} UTC</time>`;
};

function signedInPage(
  texts: StaffTexts,
  title: string,
  reader: PageReader,
  at: StaffPage,
  body: string,
): string {
  const { person, formToken, expiresAtMs, canLook, canAudit } = reader;
  const links = [
    canLook && at !== 'accounts' ? `<a href="${PATHS.staff}">${texts.accounts}</a>` : '',
    canAudit && at !== 'looks' ? `<a href="${PATHS.looks}">${texts.whoLooked}</a>` : '',
  ].filter((link) => link !== '');
  return htmlPage(
    texts.language,
    title,
    `<div class="row bar">
<p>${texts.signedInHtml(`<b>${escaped(person)}</b>`, shownTime(expiresAtMs, 'time'))}</p>
<form class="row" method="post" action="${PATHS.signOut}">${links.join(' ')} ${tokenField(formToken)}<button class="quiet">${texts.signOut}</button></form>
</div>
<h1>${escaped(title)}</h1>
${body}`,
  );
}

const faultOf = (fault: string | null) =>
  fault === null ? '' : `<p class="fault" role="alert">${escaped(fault)}</p>\n`;

const tokenField = (formToken: string) => `<input type="hidden" name="token" value=${attribute(formToken)}>`;

export interface RecentAccount {
  account: string;
  reason: string | null;
}

export interface Chooser {
  find: string;
  found: readonly string[] | null;
  isCut: boolean;
  prefixes: readonly string[];
  recent: readonly RecentAccount[];
  account: string;
  reason: string;
  fault: string | null;
}

export function chooserPage(texts: StaffTexts, reader: PageReader, chooser: Chooser): string {
  const { find, found, isCut, prefixes, recent, reason, fault } = chooser;
  const listed = found ?? [];
  const others = recent.filter(({ account }) => !listed.includes(account));
  const offered = [...listed, ...others.map(({ account }) => account)];
  const wanted = chooser.account || (listed.length === 1 ? listed[0] : find);
  const chosen = offered.find((account) => account === wanted);
  // Focuses what the person needs next: the reason, the results, or the search.
  const next = fault === null ? listed[0] : offered[0];
  const focus = chosen !== undefined ? 'reason' : next === undefined ? 'find' : `account ${next}`;
  const focused = (name: string) => (focus === name ? ' autofocus' : '');
  const choices = (legend: string, accounts: readonly RecentAccount[]) =>
    accounts.length === 0
      ? ''
      : `<fieldset><legend>${escaped(legend)}</legend>
${accounts.map((each) => choice(each, each.account === chosen ? ' checked' : focused(`account ${each.account}`))).join('\n')}
</fieldset>
`;
  const isNone = found?.length === 0;
  const more = isCut && !isNone ? `<p class="quieter">${texts.more}</p>\n` : '';
  const noneText = isCut ? texts.noneSearched(find) : texts.noneNamed(find, prefixes);
  const none = isNone ? `<p role="status">${escaped(noneText)}</p>\n` : '';
  return signedInPage(
    texts,
    texts.lookAtAccount,
    reader,
    'accounts',
    `${faultOf(fault)}<form class="row" method="get" action="${PATHS.staff}" role="search">
<div class="grows"><label class="name" for="find">${texts.partOfName}</label><input id="find" name="find" type="search" value=${attribute(find)} maxlength="64" autocomplete="off" spellcheck="false"${focused('find')}></div>
<button>${texts.find}</button>
</form>
${none}${more}${
  offered.length > 0
    ? `<form method="post" action="${PATHS.sessions}">
${tokenField(reader.formToken)}<input type="hidden" name="find" value=${attribute(find)}>
${choices(
  texts.found,
  listed.map((account) => ({ account, reason: null })),
)}${choices(texts.recent, others)}<label class="name" for="reason">${texts.reason}</label>
<div class="row"><div class="grows"><input id="reason" name="reason" value=${attribute(reason)} required maxlength="255" autocomplete="off" aria-describedby="kept"${focused('reason')}></div>
<button>${texts.open}</button></div>
<p class="quieter" id="kept">${texts.reasonHint}</p>
</form>`
    : ''
}`,
  );
}

const choice = ({ account, reason }: RecentAccount, attributes: string) =>
  `<label class="choice"><input type="radio" name="account" value=${attribute(account)} required${attributes}><code>${escaped(account)}</code>${reason === null ? '' : ` <span class="quieter">${escaped(reason)}</span>`}</label>`;

export interface Looks {
  account: string;
  person: string;
  sessions: readonly Session[] | null;
  older: string | null;
  fault: string | null;
}

export function looksPage(texts: StaffTexts, reader: PageReader, looks: Looks, nowMs: number): string {
  const { account, person, sessions, older, fault } = looks;
  const field = (name: string, label: string, value: string, most: number) =>
    `<div class="grows"><label class="name" for="${name}">${label}</label><input id="${name}" name="${name}" value=${attribute(value)} maxlength="${most}" autocomplete="off" spellcheck="false"></div>`;
  return signedInPage(
    texts,
    texts.whoLooked,
    reader,
    'looks',
    `${faultOf(fault)}<form class="row" method="get" action="${PATHS.looks}" role="search">
${field('account', texts.account, account, 64)}
${field('person', texts.person, person, 128)}
<button>${texts.find}</button>
</form>
<p class="quieter">${texts.sessionsHintHtml}</p>
${sessions === null ? '' : sessionsTable(texts, sessions, nowMs)}${older === null ? '' : `<p><a href=${attribute(older)}>${texts.older}</a></p>`}`,
  );
}

function sessionsTable(texts: StaffTexts, sessions: readonly Session[], nowMs: number): string {
  if (sessions.length === 0) return `<p role="status">${texts.noSessions}</p>`;
  const heads = [texts.person, texts.account, texts.reason, texts.created, texts.opened, texts.ended];
  return `<div class="wide sessions" tabindex="0" role="region" aria-label=${attribute(texts.sessions)}><table>
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>
${sessions.map((session) => sessionRow(texts, session, nowMs)).join('\n')}
</tbody>
</table></div>
`;
}

function sessionRow(texts: StaffTexts, listed: Session, nowMs: number): string {
  const { account, createdAtMs, session } = listed;
  const { person, reason, openedAtMs } = session;
  const cells = [
    escaped(person),
    `<code>${escaped(account)}</code>`,
    escaped(reason ?? ''),
    shownTime(createdAtMs),
    openedAtMs === null ? texts.notOpened : shownTime(openedAtMs),
    endOf(texts, listed, nowMs),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function endOf(texts: StaffTexts, listed: Session, nowMs: number): string {
  const { revokedAtMs, expiresAtMs, session } = listed;
  const state = stateOfSession(listed, nowMs);
  if (state === 'ended') return shownTime(revokedAtMs ?? expiresAtMs);
  if (session.openedAtMs === null) return '';
  return state === 'expired' ? shownTime(expiresAtMs) : texts.openUntilHtml(shownTime(expiresAtMs, 'time'));
}
