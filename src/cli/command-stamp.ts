import { userInfo } from 'node:os';
import { type AuditStamp, MAX_ACTOR_CHARACTERS, stampOf } from '../audit/audit.ts';
import { secureRandomBytes } from '../service/random-bytes.ts';

export const commandStamp = (): AuditStamp =>
  stampOf({ via: 'command', actor: userOf(process.env), address: null }, Date.now(), secureRandomBytes);

function userOf({ SUDO_USER: user }: NodeJS.ProcessEnv): string {
  const name = userName();
  const whole = user === undefined ? name : `${user} as ${name}`;
  return [...whole].slice(0, MAX_ACTOR_CHARACTERS).join('');
}

/** If the operating system's user has no name, as in some containers, the user's number is used. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
