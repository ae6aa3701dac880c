import { CommandFailed, UsageError } from '../../../../values/failure.ts';
import { REASON_MAX_CHARACTERS } from '../../../../values/interface/limits.ts';
import { quote } from '../../../../values/quote.ts';
import { explainLabel } from '../../../keys/api-key.ts';
import { parseGrace } from '../../../keys/roll-key.ts';
import { explainPerson, isSessionId, SESSION_SECONDS } from '../../../keys/session.ts';

const parseText = (what: string, explain: (text: string) => string | undefined) => (text: string) => {
  const fault = explain(text);
  if (fault !== undefined) throw new UsageError(`The ${what} ${fault}.`);
  return text;
};

const parsePerson = parseText('person', explainPerson);
export const parseReason = parseText('reason', (text) => explainLabel(text, REASON_MAX_CHARACTERS));

export const personOption = (what: string) => ['--person <text>', what, parsePerson] as const;

/** Returns milliseconds. */
export function parseLifetime(text: string): number {
  const { least, most } = SESSION_SECONDS;
  const lifetimeMs = parseGrace(text) ?? 0;
  if (lifetimeMs >= least * 1000 && lifetimeMs <= most * 1000) return lifetimeMs;
  throw new UsageError(
    `--expires cannot be ${quote(text)}; write a number with s, m or h, such as 30m or 8h, from ${least}s to ${most / 3600}h.`,
  );
}

/** The text is not printed, because it can be a session's code or key. */
export function parseSessionId(text: string): string {
  if (isSessionId(text)) return text;
  throw new UsageError(
    'This is not the id of a session, which is ses_ and 16 characters, as "transactions sessions list" shows it.',
  );
}

export const noSuchSession = (id: string) =>
  new CommandFailed(`No session has the id ${id}. "transactions sessions list" shows those of an account.`);
