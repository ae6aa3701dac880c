import { userInfo } from 'node:os';
import { type AuditStamp, stampOf } from '../../audit/audit.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';

/** For the audit trail: the user who runs a command, and the time. */
export const commandStamp = (): AuditStamp =>
  stampOf({ via: 'command', actor: userOf(process.env), address: null }, Date.now(), secureRandomBytes);

function userOf({ SUDO_USER: user }: NodeJS.ProcessEnv): string {
  const name = userName();
  return user === undefined ? name : `${user} as ${name}`;
}

/** The user of a container can have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
