import { texts } from '../text/language.ts';
import { dayText } from '../text/month.ts';
import { IDLE_HOURS, minuteOf } from '../text/session-text.ts';
import { UTC } from '../text/time.ts';
import { endSession, failureOf, openCode } from './api.ts';
import type { Failure } from './failure.ts';
import { type LinkCode, onLinkCode } from './link-code.ts';
import { platform, takeKeptAddress } from './return-link.ts';
import { contextOf } from './route.ts';
import {
  isOver,
  markOver,
  markUsed,
  removeSession,
  type Session,
  storedSession,
  storeSession,
  usedAtMs,
} from './session.ts';
import { Signal } from './signal.ts';
import { Tabs } from './tabs.ts';
import { openLink } from './use-route.ts';

export interface End extends Failure {
  isExpected?: boolean;
  onRetry?: () => void;
}

export const session = new Signal<Session | null>(null);

export const endedBy = new Signal<End | undefined>(undefined);

/** The link whose code is being exchanged. Null at all other times. */
export const opening = new Signal<LinkCode | null>(null);

export const endsSoon = new Signal(false);

const WARN_MS = 5 * 60_000;
/** A timer cannot wait for more than 24 days, so a longer wait is split into days. */
const DAY_MS = 86_400_000;

const tabs = new Tabs({
  onSession: (shared) => {
    if (session.value === null && opening.value === null) start(shared);
  },
  onSignedOut: (id) => {
    if (session.value?.id === id) stop(end(texts.$signedOutElsewhere, true));
  },
});

let timer: ReturnType<typeof setTimeout> | undefined;

function start(started: Session): void {
  storeSession(started);
  endedBy.value = undefined;
  tabs.session = started;
  session.value = started;
  checkEnd();
}

function stop(cause: End | undefined): void {
  removeSession();
  clearTimeout(timer);
  endedBy.value = cause;
  endsSoon.value = false;
  tabs.session = null;
  session.value = null;
}

const end = (text: Pick<End, 'title' | 'detail'>, isExpected = false): End => ({
  kind: 'signed-out',
  ...text,
  isExpected,
});

/** Also called when a tab becomes visible, because timers run late in a hidden tab. */
function checkEnd(): void {
  clearTimeout(timer);
  const user = session.value;
  if (user === null) return;
  const leftMs = user.endsAtMs === null ? Number.POSITIVE_INFINITY : user.endsAtMs - Date.now();
  // If the time of the last use is not stored, the session does not count as idle.
  const idleMs = (usedAtMs(user) ?? Date.now()) + IDLE_HOURS * 3_600_000 - Date.now();
  const cause = isOver(user)
    ? end(texts.$signedOutElsewhere, true)
    : leftMs <= 0
      ? expired(user)
      : idleMs <= 0
        ? end(texts.$signedOutIdle(IDLE_HOURS))
        : undefined;
  if (cause !== undefined) {
    stop(cause);
    return;
  }
  const isSoon = leftMs <= WARN_MS;
  if (isSoon !== endsSoon.value) endsSoon.value = isSoon;
  timer = setTimeout(checkEnd, Math.min(isSoon ? leftMs : leftMs - WARN_MS, Math.max(idleMs, 1000), DAY_MS));
}

const expired = ({ account, person, expiresAt }: Session): End =>
  person === null
    ? end(texts.$keyExpired(account, `${dayText(expiresAt?.slice(0, 10) ?? '')} ${expiresAt?.slice(11, 16)}`))
    : end(texts.$sessionExpired(platform), true);

export function signIn(started: Session): void {
  markUsed(started, Date.now());
  start(started);
  tabs.share(started);
}

/** Also ends the session on the service, so that a copy of its key is useless. */
export function signOut(): void {
  const user = session.value;
  if (user === null) return;
  tabs.signOut(user.id);
  markOver(user.id);
  stop(undefined);
  if (user.person !== null) endOnService(user);
}

async function endOnService(user: Session): Promise<void> {
  const ending = end(texts.$signingOut, true);
  endedBy.value = ending;
  let ended: End;
  try {
    await endSession(user.key);
    ended = end(texts.$signedOut, true);
  } catch {
    const { expiresAt } = user;
    const text = texts.$signOutFailed(expiresAt && minuteOf(expiresAt, UTC));
    ended = { ...end(text), onRetry: () => void endOnService(user) };
  }
  // Changes nothing if the user has signed in again in the meantime.
  if (endedBy.value === ending) endedBy.value = ended;
}

export function endIfRefused(failure: Failure): void {
  if (failure.kind === 'signed-out' && session.value !== null) stop(causeOfEnd(failure, session.value));
}

/** The key was accepted before, so `invalid_api_key` does not mean here that the key is misspelt. */
function causeOfEnd(cause: Failure, user: Session): End {
  if (cause.code !== 'invalid_api_key') return { ...cause, title: texts.$signedOutBecause(cause.title) };
  if (user.endsAtMs !== null && user.endsAtMs <= Date.now()) return expired(user);
  return user.person === null
    ? { ...cause, ...texts.$keyRefused(user.account) }
    : end(texts.$sessionEnded(platform));
}

/** If the link names no view, this shows the view that the user saw before going to the platform. */
async function openByLink(link: LinkCode): Promise<void> {
  stop(undefined);
  opening.value = link;
  try {
    const opened = await openCode(link.code);
    if (opening.value !== link) return;
    signIn(opened);
    const kept = takeKeptAddress();
    if (kept === undefined || link.isOfRoute) return;
    if ((contextOf(kept).account ?? opened.account) === opened.account)
      openLink(kept, [], { isReplaced: true });
  } catch (error) {
    if (opening.value !== link) return;
    const failure = failureOf(error);
    endedBy.value =
      failure.code === 'invalid_code'
        ? end(texts.$linkRefused(platform))
        : { ...failure, detail: texts.$linkFailed(failure.detail, platform) };
  } finally {
    if (opening.value === link) opening.value = null;
  }
}

const stored = storedSession();
if (stored !== null) start(stored);
onLinkCode(openByLink);

for (const event of ['pageshow', 'focus']) addEventListener(event, checkEnd);
const USE_MS = 60_000;
for (const event of ['pointerdown', 'keydown'])
  addEventListener(event, () => {
    const user = session.value;
    if (user === null) return;
    // The difference can be negative, because the device's clock may have been set back since the last use.
    if (Math.abs(Date.now() - (usedAtMs(user) ?? 0)) > USE_MS) markUsed(user, Date.now());
  });
document.addEventListener('visibilitychange', checkEnd);

// If the user goes back, the browser may restore this page after its session has ended. So the page reloads.
addEventListener('pagehide', () => {
  document.documentElement.hidden = true;
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
