import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { explainDatabaseUrl, openStore } from '../../../src/store/open-store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { queryPostgres } from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { apiKey } from '../api-keys-contract.ts';

const ADDRESS = 'postgres://user:hunter2@host/db';

test('an unknown parameter of an address, or an unknown value of one, is refused with the nearest known one', () => {
  for (const [url, fault] of [
    [`${ADDRESS}?sslmod=verify-full`, 'has the unknown parameter "sslmod"; did you mean sslmode?'],
    [
      `${ADDRESS}?options=-cx%3D1&ssl_mode=require`,
      'has the unknown parameter "ssl_mode"; did you mean sslmode?',
    ],
    [
      `${ADDRESS}?sslmode=verifyfull`,
      'has the parameter sslmode with the unknown value "verifyfull"; did you mean verify-full?',
    ],
    [`${ADDRESS}?sslmode=disable&sslmode=verify-full`, 'has the parameter sslmode twice'],
    [`${ADDRESS}?SSLMODE=verify-full`, 'has the unknown parameter "SSLMODE"; did you mean sslmode?'],
  ] as const)
    assert.equal(explainDatabaseUrl(url), fault);
  for (const name of ['constructor', 'target_session_attrs', 'x', ''])
    assert.match(
      String(explainDatabaseUrl(`${ADDRESS}?${name}=hunter2`)),
      /^has the unknown parameter "\w*"; known are host, .*, sslmode, [^2]*$/,
    );
  assert.match(String(explainDatabaseUrl('sqlite:data/transactions.db?mode=ro')), /^has parameters, or a \?/);
});

test('every parameter that the service passes on is accepted', () => {
  const query =
    'host=h&port=1&user=u&password=p&application_name=a&options=-cx%3D1&sslmode=verify-full&sslcert=c&sslkey=k&sslrootcert=r&sslnegotiation=direct&uselibpqcompat=true';
  assert.equal(explainDatabaseUrl(`${ADDRESS}?${query}`), undefined);
});

test('a server that requires TLS is reported differently from one without TLS, and from one that refuses the user or the password', async () => {
  const server = await startPostgres();
  try {
    await assert.rejects(openStore(`${server.url}/postgres?sslmode=require`, Date.now), {
      message: /can't be used: its server has no TLS, and sslmode in the address asks for it\. .*\.$/,
    });
    writeFileSync(`${server.folder}/data/pg_hba.conf`, 'hostssl all all all trust\n');
    await queryPostgres(`${server.url}/postgres`, 'SELECT pg_reload_conf()');
    const refusal = async () => {
      try {
        await (await openStore(`${server.url}/postgres`, Date.now)).store.close();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    let message = await refusal();
    while (message === undefined) message = await refusal();
    assert.match(
      message,
      /can't be used: the rules of the server \(pg_hba\.conf\) do not let this connection in: .*\. If they require TLS, write sslmode=verify-full into the address; if they require a certificate, also sslcert and sslkey\.$/,
    );
  } finally {
    await server.stop();
  }
});

test('with a first host that does not answer, the first query of each connection is answered', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const url = (await makeMigratedDatabase()).replace('@', `@127.0.0.1:${port},`);
  const { store } = await openStore(url, Date.now, { timeoutMs: 8000, connections: 1, records: true });
  try {
    assert.ok(sockets.size > 0, 'the silent host was not tried');
    await store.ping();
    await record(store, [transaction('store-1', 'a')]);
    assert.equal(await store.findApiKey(apiKey('key_0000000000000001').hash), undefined);
    assert.deepEqual(await store.listDeliverable({ after: null, limit: 9 }), []);
    const importing = await store.openImport();
    await importing.close();
  } finally {
    await store.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
