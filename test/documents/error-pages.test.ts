import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNAVAILABLE } from '../../values/unavailable.ts';
import { KINDS } from '../rig/http/problems.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

test('200: every error has a page with cause and solution at the URL in its type', async () => {
  const app = await buildTestApp();
  const index = (await app.send('/errors')).text;
  for (const { code, title, status } of KINDS) {
    const page = await app.send(`/errors/${code}`);
    assert.equal(page.status, 200);
    assert.match(page.headers['content-type'] ?? '', /^text\/html/);
    for (const part of [title, `HTTP ${status}`, 'Cause', 'Solution'])
      assert.ok(page.text.includes(part), code);
    assert.ok(index.includes(`/errors/${code}`));
  }
});

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test('200: each reason for a 503 has a page, which shows the cause only to the operator', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const { payload: guide } = await operator.server.inject('/guides/troubleshooting');
  for (const [reason, { detail }] of Object.entries(UNAVAILABLE)) {
    const { status, text } = await app.send(`/errors/${reason}`);
    assert.equal(status, 200);
    assert.ok(text.includes(escaped(detail)) && !text.includes('Cause:'), reason);
    const { payload } = await operator.server.inject(`/errors/${reason}`);
    assert.match(payload, /Cause: /);
    assert.ok(payload.includes(`href="/guides/troubleshooting#${reason}"`), reason);
    assert.ok(guide.includes(` id="${reason}"`), `the guide has no row of ${reason}`);
  }
  assert.match((await app.send('/errors/unavailable')).text, /href="\/errors\/moved"/);
});

test('404: the page of an unknown error code', async () => {
  const app = await buildTestApp();
  for (const code of ['nope', 'constructor', '__proto__', '%3Cscript%3E']) {
    assert.equal((await app.send(`/errors/${code}`)).status, 404, code);
  }
});
