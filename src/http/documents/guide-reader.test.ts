import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forReader, originOf, publicOriginFor } from './guide-reader.ts';

const TEXT = `<!-- clone -->In a clone, write npx.
<!-- /clone -->
For operators.<!-- clone --> In a clone, too.<!-- /clone -->
<!-- clone -->In a clone.<!-- /clone --> Everywhere.<!-- clone --> In a clone.
<!-- /clone -->
npx --no-install transactions verify
node_modules/.bin/node bin/transactions.js copy --follow
OPERATOR_PORT=3001 npm start
npx --no-install transactions-conformance --url http://127.0.0.1:3000
curl http://127.0.0.1:3001/v1/accounts`;

const form = { origin: 'https://inside.example', publicOrigin: 'https://pay.example' };

test('an operator with a package reads the command that it installs, and the addresses of both listeners', () => {
  assert.equal(
    forReader(TEXT, { ...form, listener: 'operator', isPacked: true }),
    `For operators.
 Everywhere.
transactions verify
transactions copy --follow
OPERATOR_PORT=3001 transactions serve
npx --no-install transactions-conformance --url https://pay.example
curl https://inside.example/v1/accounts`,
  );
});

test('an operator with a clone reads what a clone has, without the marks', () => {
  assert.equal(
    forReader(TEXT, { ...form, listener: 'operator', isPacked: false }),
    `In a clone, write npx.
For operators. In a clone, too.
In a clone. Everywhere. In a clone.
npx --no-install transactions verify
node_modules/.bin/node bin/transactions.js copy --follow
OPERATOR_PORT=3001 npm start
npx --no-install transactions-conformance --url https://pay.example
curl https://inside.example/v1/accounts`,
  );
});

test('a merchant never reads what only a clone has, and no address of the operator is made up', () => {
  const text = forReader(TEXT, {
    ...form,
    origin: 'https://pay.example',
    listener: 'public',
    isPacked: false,
  });
  assert.doesNotMatch(text, /clone|npx --no-install transactions\b(?!-)|npm start/);
  assert.match(text, /https:\/\/pay\.example/);
  assert.match(text, /http:\/\/127\.0\.0\.1:3001/);
});

test('the public address of an operator is that of the setting, or beside the listener that is reached without a proxy', () => {
  const ports = { publicUrl: null, port: 8080, operatorPort: 9000 };
  assert.equal(publicOriginFor('http://inside:9000', ports), 'http://inside:8080');
  assert.equal(publicOriginFor('http://[::1]:9000', ports), 'http://[::1]:8080');
  for (const origin of ['https://inside', 'https://inside:9000', 'http://inside', 'http://inside:9001'])
    assert.equal(publicOriginFor(origin, ports), 'http://127.0.0.1:3000', origin);
  assert.equal(publicOriginFor('http://inside:9000', { ...ports, port: 0 }), 'http://127.0.0.1:3000');
  const publicUrl = 'https://pay.example/any/';
  assert.equal(publicOriginFor('http://inside:9000', { ...ports, publicUrl }), 'https://pay.example');
});

test('the Host of a request is used only if it is a host', () => {
  const at = (host: string) => originOf({ protocol: 'https', host }, null);
  for (const host of ['pay.example', 'pay.example:8443', '127.0.0.1:3000', '[::1]:3000', 'localhost'])
    assert.equal(at(host), `https://${host}`);
  for (const host of ['', 'a b', 'x"><b>', 'a/b', 'a@b', 'a:b', '[::1', 'a:99999', '999.1.1.1', '[::::]'])
    assert.equal(at(host), 'http://127.0.0.1:3000', host);
  assert.equal(originOf({ protocol: 'http"' as 'http', host: 'inside' }, null), 'http://127.0.0.1:3000');
  assert.equal(
    originOf({ protocol: 'http', host: 'inside' }, 'https://pay.example/any/'),
    'https://pay.example',
  );
});
