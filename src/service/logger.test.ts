import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { orUnavailable } from '../db/sqlite/errors.ts';
import { logError } from './logger.ts';

function logged(err: unknown): { type: string; message: string; stack: string } {
  const lines: string[] = [];
  pino({ serializers: { err: logError } }, { write: (line: string) => lines.push(line) }).error({ err });
  return JSON.parse(lines[0] ?? '').err;
}

test('the error of a failing database has its cause in the message once, and in the stack', () => {
  const cause = Object.assign(new Error('disk I/O error'), { errcode: 10 });
  assert.throws(
    () =>
      orUnavailable(() => {
        throw cause;
      }),
    (error) => {
      const { type, message, stack } = logged(error);
      assert.equal(type, 'StoreUnavailable');
      assert.equal(message, "the database can't answer: disk I/O error");
      assert.match(stack, /\ncaused by: Error: disk I\/O error\n/);
      return error instanceof StoreUnavailable;
    },
  );
});

test('any other error has the messages of its causes, and a value that is not an error stays unchanged', () => {
  const error = new Error('could not send', { cause: new Error('connection reset') });
  assert.equal(logged(error).message, 'could not send: connection reset');
  assert.equal(logged('no error'), 'no error');
});
