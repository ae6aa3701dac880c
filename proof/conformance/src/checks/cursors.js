import { alterationsOf, forgeries, otherForms, readable } from '../cursor-forms.js';
import { firstPage, plainCursor, samePage } from '../cursor-pages.js';
import { checksOf } from './check.js';

export default checksOf({ level: 'list', section: 'cursors' }, [
  {
    id: 'cursor.form',
    rule: 'A cursor has at most 512 characters, all of the URL-safe alphabet A-Z, a-z, 0-9, hyphen and underscore.',
    async run(t) {
      for (const page of (await t.facts.window()).pages)
        if (page.body.nextCursor !== null) {
          const isRight = /^[A-Za-z0-9_-]{1,512}$/.test(page.body.nextCursor);
          t.that(isRight, 'at most 512 URL-safe characters', page.body.nextCursor, page);
        }
    },
  },
  {
    id: 'cursor.encrypted',
    rule: 'A cursor is encrypted: nothing of the position, the filter or the account can be read in it.',
    async run(t) {
      const { cursor, data, page } = await plainCursor(t);
      const last = data[data.length - 1];
      const found = readable(cursor, last);
      t.that(found === undefined, 'a cursor in which nothing can be read', `${found} in ${cursor}`, page);
    },
  },
  {
    id: 'cursor.altered',
    rule: 'A cursor that differs in a single character is 400 cursor_malformed, wherever the character is.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      await t.each(alterationsOf(cursor, t.random), async ([altered, how]) =>
        t.fault(await t.list({ cursor: altered }), 'cursor_malformed', 'cursor', `a cursor with ${how}`),
      );
    },
  },
  {
    id: 'cursor.malformed',
    rule: 'A text that this service did not issue is 400 cursor_malformed.',
    async run(t) {
      const { cursor } = await firstPage(t, {});
      await t.refused('cursor', 'cursor_malformed', forgeries(cursor));
    },
  },
  {
    id: 'cursor.canonical',
    rule: 'A cursor has one form: with padding, other bits at its end, or another alphabet it is 400 cursor_malformed.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      await t.refused('cursor', 'cursor_malformed', otherForms(cursor));
    },
  },
  {
    id: 'cursor.reused',
    rule: 'A cursor can be used again, and returns the same page.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      const first = await t.list({ cursor });
      await t.list();
      const second = t.status(await t.list({ cursor }), 200, 'a cursor that is used again');
      samePage(t, first, second, 'the same page');
    },
  },
  {
    id: 'cursor.other-account',
    rule: 'A cursor of another account is 400 cursor_malformed, and the response is the same as for any other text.',
    needs: 'second key',
    async run(t) {
      const { cursor } = await plainCursor(t);
      const other = await t.deployment.second();
      const refused = await other.list({ cursor });
      t.fault(refused, 'cursor_malformed', 'cursor', "another account's cursor");
      const altered = await other.list({ cursor: `A${'b'.repeat(cursor.length - 1)}` });
      t.same(refused.body.detail, altered.body?.detail, 'the same detail as for any other text', refused);
    },
  },
  {
    id: 'cursor.beside-faults',
    section: 'parameters',
    rule: 'A valid cursor does not hide other faults, and is one itself if it is sent twice.',
    async run(t) {
      const { cursor } = await plainCursor(t);
      t.fault(await t.list({ curency: 'EUR', cursor }), 'unknown_parameter', 'curency');
      t.fault(await t.list({ status: 'nonsense', cursor }), 'invalid_status', 'status');
      t.fault(await t.list(`cursor=${cursor}&cursor=${cursor}`), 'duplicate_parameter', 'cursor');
    },
  },
]);
