import { showChange } from '../change.ts';
import { type Fault, Problem, refuse } from '../problem.ts';
import { readQuery } from '../query.ts';
import type { Answer, Call } from '../service.ts';

/** `GET /v1/changes` */
export async function listChanges({ service, account, query }: Call): Promise<Answer> {
  const { values, faults } = readQuery(query, ['after', 'afterId', 'limit', 'wait']);
  const after = readNumber(values.get('after') ?? '0', 0, Number.MAX_SAFE_INTEGER);
  if (after === undefined)
    faults.push(explainNumber('after', 'invalid_sequence', 'a sequence number, 0 or larger'));
  const limit = readNumber(values.get('limit') ?? '100', 1, 1000);
  if (limit === undefined) faults.push(explainNumber('limit', 'invalid_limit', 'a number from 1 to 1000'));
  const wait = readNumber(values.get('wait') ?? '0', 0, 30);
  if (wait === undefined)
    faults.push(explainNumber('wait', 'invalid_wait', 'a number of seconds from 0 to 30'));
  const afterId = values.get('afterId');
  if (afterId !== undefined && (after === 0 || !/^[A-Za-z0-9_-]{10,40}$/.test(afterId))) {
    const detail = 'afterId must be the id of the change at after';
    faults.push({ parameter: 'afterId', code: 'invalid_change_id', detail });
  }
  const ledger = service.ledger(account);
  const compareIds = () => {
    const { headSequence } = ledger;
    if (afterId === undefined || faults.length > 0 || ledger.idAt(after ?? 0) === afterId) return;
    const detail = `change ${after} has another id, or does not exist`;
    throw new Problem('history_changed', detail, {
      errors: [{ parameter: 'afterId', code: 'history_changed', detail }],
      headSequence,
    });
  };
  compareIds();
  if (after !== undefined && after > ledger.headSequence) {
    const headSequence = ledger.headSequence;
    const detail = `after is ${after}, but the last change of the account is ${headSequence}`;
    refuse([...faults, { parameter: 'after', code: 'sequence_ahead', detail }], { headSequence });
  }
  refuse(faults);
  const [first = 0, count = 0, waitMs = 0] = [after, limit, (wait ?? 0) * 1000];
  if (first === ledger.headSequence && waitMs > 0 && !service.isStopping) await ledger.nextChange(waitMs);
  const headSequence = ledger.headSequence;
  const data = ledger.changes.slice(first, first + count).map(showChange);
  const lastSequence = data.at(-1)?.sequence ?? first;
  const lastId = ledger.idAt(lastSequence);
  const body = { data, lastId, lastSequence, headSequence, hasMore: lastSequence < headSequence };
  return { status: 200, body };
}

/** A number as text, without a sign or zeros before it. */
export function readNumber(text: string, min: number, max: number): number | undefined {
  const value = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

export function explainNumber(parameter: string, code: string, form: string): Fault {
  return { parameter, code, detail: `${parameter} must be ${form}` };
}
