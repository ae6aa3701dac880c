import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import packageJson from '#package' with { type: 'json' };
import { internalsOf, PgQuery } from '../../../src/db/postgres/driver/pg-internals.ts';

const { version } = JSON.parse(readFileSync(new URL(import.meta.resolve('pg/package.json')), 'utf8'));

/** Fails with one sentence where pg has changed. */
function needs(holds: boolean, what: string): void {
  assert.ok(
    holds,
    `pg ${version} does not do what src/db/postgres/driver needs, by decisions/postgresql.md: ${what}.`,
  );
}

/** A socket to no server. */
class FakeSocket extends Duplex {
  written = '';
  connect() {
    setImmediate(() => this.emit('connect'));
    return this;
  }
  setNoDelay() {
    return this;
  }
  override _read() {}
  override _write(bytes: Buffer, _encoding: string, done: () => void) {
    this.written += bytes.toString('latin1');
    done();
  }
}

needs(typeof PgQuery === 'function', 'pg.Query is a class');

/** A query of a class derived from pg's own, which notes how pg calls it. */
class Probe extends PgQuery {
  readonly name: string | undefined;
  readonly #text: string;
  readonly calls: string[] = [];
  readonly errors: unknown[] = [];

  constructor(text: string) {
    super('');
    this.#text = text;
  }
  submit({ stream }: pg.Connection): null {
    stream.write(this.#text);
    return null;
  }
  handleError(error: Error) {
    this.calls.push('handleError');
    this.errors.push(error);
  }
  handleReadyForQuery() {
    this.calls.push('handleReadyForQuery');
  }
  handleEmptyQuery() {
    throw new Error('thrown by the query');
  }
}

function message(kind: string, body: string): Buffer {
  const bytes = Buffer.from(`${kind}0000${body}`, 'latin1');
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}

const READY = message('Z', 'I');
const AUTHENTICATION_OK = message('R', '\0\0\0\0');
const REFUSED = message('E', 'SERROR\0C22012\0Mdivision by zero\0Rint4div\0\0');

let client: pg.Client;
let socket: FakeSocket;
let attached: unknown[];
/** Takes the place of the socket, as in the driver: pg gets only the bytes that are emitted here. */
let messages: EventEmitter;

const active = () => internalsOf(client)._getActiveQuery();
const receive = (...parts: Buffer[]) => messages.emit('data', Buffer.concat(parts));
const send = (...queries: Probe[]) => {
  for (const query of queries) client.query(query as unknown as pg.Submittable);
};
const nextTurn = () => new Promise(setImmediate);

describe('the internals of pg that the driver needs', () => {
  beforeEach(async () => {
    socket = new FakeSocket();
    messages = new EventEmitter();
    attached = [];
    client = new pg.Client({ user: 'u', pipeline: true, stream: () => socket } as unknown as pg.ClientConfig);
    client.on('error', () => {});
    const { connection } = internalsOf(client);
    needs(
      typeof connection?.attachListeners === 'function',
      'client.connection.attachListeners is the function that begins to read from the socket',
    );
    needs(
      typeof internalsOf(client)._getActiveQuery === 'function',
      'client._getActiveQuery is the function that returns the query being answered',
    );
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      attached.push(stream);
      attach(messages);
    };
    const connected = client.connect();
    await once(socket, 'connect');
    needs(
      attached.length === 1 && attached[0] === socket,
      'it calls attachListeners once for each connection, with the socket',
    );
    needs(
      messages.eventNames().every((name) => name === 'data' || name === 'end'),
      'attachListeners listens to the events data and end alone',
    );
    receive(AUTHENTICATION_OK, READY);
    await connected;
  });
  afterEach(() => socket.destroy());

  test('pg is pinned to the installed version, because the driver needs some of its internals', () => {
    assert.equal(
      packageJson.dependencies.pg,
      version,
      'package.json does not name the one version of pg that is installed, which decisions/postgresql.md requires.',
    );
  });

  test('in pipeline mode, a query derived from pg.Query is sent at once, behind those in flight', async () => {
    const queries = [new Probe('first '), new Probe('second ')];
    const before = socket.written.length;
    send(...queries);
    await nextTurn();
    needs(
      queries.every(({ errors }) => errors.length === 0),
      'pipeline mode takes queries of classes derived from pg.Query',
    );
    needs(
      socket.written.slice(before) === 'first second ',
      'client.query calls submit(connection) of each query at once, which writes to connection.stream',
    );
  });

  test('the active query is the one that the server answers, in the order of sending', async () => {
    const [first, second] = [new Probe('1'), new Probe('2')];
    needs(!active(), '_getActiveQuery returns nothing while no query is in flight');
    send(first, second);
    needs(active() === first, '_getActiveQuery returns the first query in flight');
    receive(READY);
    needs(active() === second, 'ReadyForQuery makes the next query the active one, before the next message');
    needs(
      first.calls.join() === 'handleReadyForQuery' && second.calls.length === 0,
      'ReadyForQuery calls handleReadyForQuery of the active query',
    );
    receive(READY);
    needs(!active(), '_getActiveQuery returns nothing after the last query');
  });

  test('an error of the server goes to the active query as a DatabaseError, and the next query is answered', () => {
    const [first, second] = [new Probe('1'), new Probe('2')];
    send(first, second);
    receive(REFUSED);
    const [error] = first.errors;
    needs(
      first.calls.join() === 'handleError' && error instanceof pg.DatabaseError,
      'ErrorResponse calls handleError of the active query with a pg.DatabaseError',
    );
    const { code, severity, routine } = error as pg.DatabaseError;
    needs(
      code === '22012' && severity === 'ERROR' && routine === 'int4div',
      'a DatabaseError has the code, severity and routine of the server',
    );
    receive(READY);
    needs(first.calls.length === 1, 'a query that failed gets no further call');
    needs(active() === second && second.calls.length === 0, 'ReadyForQuery after an error goes to no query');
  });

  test('ParseComplete, CloseComplete and notices need no handler of the query', () => {
    const query = new Probe('1');
    send(query);
    receive(message('1', ''), message('3', ''), message('N', 'SNOTICE\0\0'), READY);
    needs(
      query.calls.join() === 'handleReadyForQuery' && query.errors.length === 0,
      'ParseComplete, CloseComplete and NoticeResponse call nothing of a query without a name',
    );
  });

  test('an empty query calls its handler, whose error reaches the code that passed the bytes', () => {
    send(new Probe('1'));
    let thrown: unknown;
    try {
      receive(message('I', ''));
    } catch (error) {
      thrown = error;
    }
    needs(
      (thrown as Error)?.message === 'thrown by the query',
      'EmptyQueryResponse calls handleEmptyQuery of the active query at once, and does not catch its error',
    );
  });

  test('a lost connection fails every query in flight with the error of the socket', async () => {
    const queries = [new Probe('1'), new Probe('2')];
    send(...queries);
    const lost = new Error('lost');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy(lost);
    await closed;
    await nextTurn();
    for (const { calls, errors } of queries)
      needs(
        calls[0] === 'handleError' && errors[0] === lost,
        'an error of the socket calls handleError of every query in flight with that error',
      );
  });
});
