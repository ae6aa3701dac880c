import type { Event } from './history.ts';
import { type Life, livesOf } from './life.ts';
import { ACCESS_RULES } from './rules/access.ts';
import { CHANGE_RULES } from './rules/changes.ts';
import { READ_RULES } from './rules/read.ts';
import { RECORDING_RULES } from './rules/record.ts';
import type { Rule } from './rules/rule.ts';
import { WEBHOOK_RULES } from './rules/webhooks.ts';

const RULES: readonly Rule[] = [
  ...CHANGE_RULES,
  ...RECORDING_RULES,
  ...READ_RULES,
  ...ACCESS_RULES,
  ...WEBHOOK_RULES,
];

const MOST = 20;
const SHOWN = 1500;

export function judge(events: readonly Event[]): string[] {
  const wrong = events.filter((event) => event.op === 'wrong');
  const found = wrong.map(({ account, text }) => `${account}: ${text}`);
  if (found.length > 0) return found;
  for (const life of accountsOf(events).flatMap((account) => livesOf(account, events)))
    for (const rule of RULES) {
      for (const broken of rule.broken(life)) {
        found.push(
          `${life.account}, life ${life.number}: ${rule.says}: ${JSON.stringify(broken).slice(0, SHOWN)}`,
        );
        if (found.length >= MOST) return found;
      }
    }
  return found;
}

export const accountsOf = (events: readonly Event[]): string[] => [
  ...new Set(events.flatMap((event) => ('ended' in event ? event.account : []))),
];

export function historyOf(events: readonly Event[], account: string): string[] {
  return events.flatMap((event) => {
    if (event.op === 'did') return `-- ${event.text}`;
    if (event.op === 'backup' || event.op === 'restore') return `-- ${event.op}`;
    if (event.account !== account) return [];
    if (event.op === 'wrong') return `wrong: ${event.text}`;
    const { op, began, ended, account: _, life, beganMs: __, endedMs: ___, ...rest } = event;
    return `${began}-${ended} life ${life} ${op} ${JSON.stringify(rest).slice(0, 300)}`;
  });
}

export type { Life };
