import { timeParts, UTC } from './time.ts';

/** What is said of a session that has ended. */
interface SessionText {
  title: string;
  detail: string;
}

/** The minute of a time, in the time zone of all times on the screen: "14:05" or "12:05 UTC". */
export function minuteOf(timestamp: string, zone: string): string {
  const { time } = timeParts(timestamp, zone);
  return `${time.slice(0, 5)}${zone === UTC ? ' UTC' : ''}`;
}

/** Staff of the platform open sessions elsewhere, and the page does not know whose session it has. */
const onPlatform = (platform: string) =>
  `Open it again at ${platform}, or where you opened it, to go on where you were.`;

export const sessionExpired = (platform: string): SessionText => ({
  title: 'Your session has ended',
  detail: `A session lasts some hours. ${onPlatform(platform)}`,
});

export const sessionEnded = (platform: string): SessionText => ({
  title: 'Your session was ended',
  detail: `It was ended before its time, at ${platform} or by a sign-out. ${onPlatform(platform)}`,
});

export const keyExpired = (account: string, expiresAt: string): SessionText => ({
  title: 'You were signed out: The API key has expired',
  detail: `The key of the account ${account} ended at ${expiresAt.slice(0, 19).replace('T', ' ')} UTC. Ask the operator of the service for a new one.`,
});

export const keyRefused = (account: string): SessionText => ({
  title: 'You were signed out: The API key was revoked or replaced',
  detail: `The service accepted this key of the account ${account} before. Ask the operator of the service for a new one.`,
});

/** A sign-in ends when it is not used for so long: a browser can restore its tabs, and somebody else can sit before it. */
export const IDLE_HOURS = 12;

export const SIGNED_OUT_IDLE: SessionText = {
  title: 'You were signed out: The page was not used',
  detail: `It was not used for ${IDLE_HOURS} hours.`,
};

export const SIGNED_OUT_ELSEWHERE: SessionText = {
  title: 'You were signed out: Signed out in another tab',
  detail: 'Signing out ends the session in all tabs. Sign in again to continue here.',
};

export const SIGNING_OUT: SessionText = {
  title: 'Signing out\u2026',
  detail: 'This browser has forgotten the session. The service is ending it.',
};

export const SIGNED_OUT: SessionText = {
  title: 'You are signed out',
  detail: 'The session has ended, in this browser and on the service.',
};

export const signOutFailed = (expiresAt: string | null): SessionText => ({
  title: 'Signed out here, but not on the service',
  detail: `The service did not answer. This browser has forgotten the session; a copy of it would work until ${
    expiresAt === null ? 'it ends' : minuteOf(expiresAt, UTC)
  }.`,
});

/** Why the code of a link gave no session. */
export const linkRefused = (platform: string): SessionText => ({
  title: 'This link cannot be used any more',
  detail: `It works once, within a minute of being made. Open it again at ${platform}, which makes a new one.`,
});

/** The way on where it is unknown whether the code was used. */
export const linkFailed = (detail: string, platform: string): string =>
  `${detail} Then open the link again at ${platform}: each one works once.`;
