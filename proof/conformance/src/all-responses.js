import { unknownKey } from './judge-refusals.js';

/** @param {Context} t */
export async function allResponses(t) {
  await t.deployment.facts.once('one of each kind', async () => {
    await t.list();
    await t.list({ status: 'nonsense' });
    await t.list({ curency: 'EUR', status: 'nonsense' });
    await t.list('', { authorization: null });
    await t.list('', unknownKey(t));
    await t.get(`/v1/${t.random.letters(12)}`);
    await t.list('', { method: 'POST', authorization: null });
  });
  // Responses of the operator's interface are left out, because it has rules of its own.
  const prefix = `${t.client.url}/v1/`;
  return t.deployment.transport.exchanges.filter(({ sent }) => sent.url.startsWith(prefix));
}

/** @param {Exchange} exchange */
export const isList = ({ sent }) => /\/v1\/transactions(\?|$)/.test(sent.url);
