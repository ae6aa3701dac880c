import type { Change, ChangePage, ChangeQuery } from './change.ts';
import { UnexpectedResponseError } from './errors.ts';
import { isObject, isSequence, isText, isTextOrNull, isTransaction } from './response.ts';

export function readChangePage(
  body: unknown,
  { after = 0, afterId }: ChangeQuery,
  requestId: string,
): ChangePage {
  const refuse = (fault: string) =>
    new UnexpectedResponseError(`${fault} (request ${requestId}).`, requestId);
  if (!isChangePage(body)) throw refuse('The response is not a page of changes');
  let last = after;
  for (const { sequence } of body.data) {
    if (sequence > last + 1) throw refuse(`The change feed has a gap: change ${sequence} follows ${last}`);
    if (sequence <= last) throw refuse(`The change feed repeats a change: ${sequence} follows ${last}`);
    last = sequence;
  }
  const { data, lastSequence, lastId, headSequence, hasMore } = body;
  if (data.length === 0 && headSequence > last)
    throw refuse(`The change feed has a gap: no change follows ${last}, and its head is ${headSequence}`);
  if (lastSequence !== last || headSequence < last || hasMore !== headSequence > last) {
    const said = `lastSequence is ${lastSequence}, headSequence ${headSequence} and hasMore ${hasMore}`;
    throw refuse(`The page of changes contradicts itself: ${said} after change ${last}`);
  }
  const expectedId = data.at(-1)?.id ?? afterId ?? lastId;
  if (lastId !== expectedId || (lastId === null) !== (last === 0))
    throw refuse(`The page of changes contradicts itself: lastId is ${lastId} after change ${last}`);
  return body;
}

function isChangePage(value: unknown): value is ChangePage {
  return (
    isObject(value) &&
    Array.isArray(value['data']) &&
    value['data'].every(isChange) &&
    isSequence(value['lastSequence']) &&
    isTextOrNull(value['lastId']) &&
    isSequence(value['headSequence']) &&
    typeof value['hasMore'] === 'boolean'
  );
}

export function isChange(value: unknown): value is Change {
  return (
    isObject(value) &&
    isSequence(value['sequence']) &&
    isText(value['id']) &&
    isText(value['type']) &&
    isTextOrNull(value['previousStatus']) &&
    isText(value['recordedAt']) &&
    isTransaction(value['transaction'])
  );
}
