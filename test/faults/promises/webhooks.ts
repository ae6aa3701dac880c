// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const WEBHOOKS: readonly Promised[] = [
  {
    promise: 'A delivery is signed with its id, its time and its body, by each valid secret',
    in: ['SPEC.md: Deliveries'],
    faults: [
      {
        name: 'the time is not signed',
        file: 'src/webhooks/webhook-message.ts',
        from: 'const signed = `${id}.${timestamp}.${body}`;',
        to: 'const signed = `${id}.${body}`;',
        foundBy: {
          file: 'src/webhooks/webhook-message.test.ts',
          test: 'each valid secret signs the id, the time in seconds and the body',
        },
      },
      {
        name: 'a secret before a rotation signs for ever',
        file: 'src/webhooks/webhook-message.ts',
        from: 'previousSecret !== null && nowMs < previousSecret.untilMs',
        to: 'previousSecret !== null',
        foundBy: {
          file: 'src/webhooks/webhook-message.test.ts',
          test: 'each valid secret signs the id, the time in seconds and the body',
        },
      },
      {
        name: 'an event is signed as another one',
        file: 'src/webhooks/webhook-message.ts',
        from: "'webhook-id': id,",
        to: "'webhook-id': `${id}0`,",
        foundBy: {
          file: 'test/http/webhooks/200-webhook-test.test.ts',
          test: '200: a test is one signed POST of a webhook.test event',
        },
      },
    ],
  },
  {
    promise: 'Every change is delivered at least once, with one id for ever',
    in: [
      'SPEC.md: Webhooks',
      'docs/reliability.md: After `kill -9` of the service at any moment, every acknowledged change',
    ],
    faults: [
      {
        name: 'a change in flight is acknowledged with a later one',
        file: 'src/webhooks/delivery/delivery-state.ts',
        from: '  if (!isSettled(state, sequence)) state.settled.set(sequence, nonce);\n',
        to: '  for (let next = state.acknowledged + 1; next <= sequence; next++) state.settled.set(next, nonce);\n',
        foundBy: {
          file: 'test/simulation/deliveries.test.ts',
          test: 'simulated histories of deliveries lose nothing, whatever fails',
        },
      },
      {
        name: 'a change that is recorded again after a restore has the same id',
        file: 'src/ledger/changes/change-id.ts',
        from: '`${account} ${sequence} ${nonce}`',
        to: '`${account} ${sequence}`',
        foundBy: {
          file: 'src/ledger/changes/change-id.test.ts',
          test: 'the id of a change is always the same, and another for each account, number and nonce',
        },
      },
    ],
  },
  {
    promise: 'A failed change is tried again by the schedule, and an ordered endpoint gets nothing before it',
    in: [],
    faults: [
      {
        name: 'the second delay is ten times as long',
        file: 'src/webhooks/delivery/attempt-schedule.ts',
        from: '5 * MINUTE_MS,',
        to: '50 * MINUTE_MS,',
        foundBy: {
          file: 'src/webhooks/delivery/attempt-schedule.test.ts',
          test: 'attempts come after 5 s, 5 min, 30 min',
        },
      },
      {
        name: 'an ordered endpoint has several attempts in flight',
        file: 'src/webhooks/delivery/next-step.ts',
        from: '(endpoint.ordered ? 1 : WINDOW)',
        to: 'WINDOW',
        foundBy: {
          file: 'src/webhooks/delivery/webhook-deliveries.test.ts',
          test: 'a window of attempts is in flight, and one for an ordered endpoint',
        },
      },
      {
        name: 'a redirect is a success',
        file: 'src/webhooks/delivery/attempt-result.ts',
        from: 'status >= 200 && status < 300',
        to: 'status >= 200 && status < 400',
        foundBy: {
          file: 'test/http/webhooks/200-webhook-test.test.ts',
          test: '200: a test that fails says why, and changes nothing of the endpoint',
        },
      },
      {
        name: '410 is a failure like others',
        file: 'src/webhooks/delivery/attempt-result.ts',
        from: "  if (status === 410) return 'gone';\n",
        to: '',
        foundBy: {
          file: 'src/webhooks/delivery/webhook-deliveries.test.ts',
          test: '410 disables the endpoint before the change',
        },
      },
    ],
  },
  {
    promise: 'A receiver that is down gets everything when it is up, and its changes need no row each',
    in: ['docs/reliability.md: A receiver that is down'],
    faults: [
      {
        name: 'each change of a receiver that is down is stored as a failure',
        file: 'src/webhooks/delivery/note-answer.ts',
        from: "isPaused(state) && result.outcome === 'unavailable'",
        to: "isPaused(state) && result.outcome === 'gone'",
        foundBy: {
          file: 'src/webhooks/delivery/webhook-deliveries.test.ts',
          test: 'a receiver that is down makes failures for one window, and gets everything when it is up',
        },
      },
    ],
  },
  {
    promise:
      'The first line of a response is the result of an attempt, and a resolver that drops queries does not delay it',
    in: ['SPEC.md: Deliveries'],
    faults: [
      {
        name: 'a malformed head hides the status before it',
        file: 'src/webhooks/network/sender.ts',
        from: 'isMalformed(error) ? statusOf(begun) : undefined',
        to: 'undefined as number | undefined',
        foundBy: {
          file: 'test/network/receivers.test.ts',
          test: 'has the status of a response that is malformed after its first line',
        },
      },
      {
        name: 'an interim response is taken for the result',
        file: 'src/webhooks/network/sender.ts',
        from: '([2-5]\\d\\d)',
        to: '(\\d{3})',
        foundBy: {
          file: 'test/network/receivers.test.ts',
          test: 'does not take an interim response for the result',
        },
      },
      {
        name: 'the addresses of both families are waited for',
        file: 'src/webhooks/network/resolve-host.ts',
        from: 'await Promise.race([all, first.then(() => delay(OTHER_FAMILY_MS))]);',
        to: 'await all;',
        foundBy: {
          file: 'src/webhooks/network/resolve-host.test.ts',
          test: 'a name has the addresses of the answers, if only',
        },
      },
    ],
  },
  {
    promise: 'One instance delivers, and another one takes over',
    in: [],
    faults: [
      {
        name: 'every instance takes the lease',
        file: 'src/webhooks/lease-sql.ts',
        from: 'WHERE webhook_lease.instance = excluded.instance OR',
        to: 'WHERE true OR',
        foundBy: { file: 'test/store/sqlite.test.ts', test: 'one instance has, and renews' },
      },
      {
        name: 'an instance whose settings forbid the receivers takes over, and pauses the endpoints',
        file: 'src/webhooks/lease-sql.ts',
        from: 'THEN 0 ELSE ${OTHER_RULES_MS} END',
        to: 'THEN 0 ELSE 0 END',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'an instance with other rules takes when none with the rules of the last one has it for a while',
        },
      },
    ],
  },
  {
    promise: 'A receiver that refuses or hangs does not slow others',
    in: ['docs/reliability.md: A receiver that refuses'],
    faults: [
      {
        name: 'one receiver can have every attempt in flight',
        file: 'src/webhooks/delivery/attempt-slots.ts',
        from: 'const SHARED_PLACES = MAX_IN_FLIGHT / 2;',
        to: 'const SHARED_PLACES = MAX_IN_FLIGHT;',
        foundBy: {
          file: 'src/webhooks/delivery/delivery-limits.test.ts',
          test: '600 receivers that hang fill no more than half, once they are known',
        },
      },
    ],
  },
  {
    promise: 'The service never connects to an address that is not public',
    in: ['SECURITY.md: Of addresses'],
    faults: [
      {
        name: 'only the first address of a name is checked',
        file: 'src/webhooks/network/resolve-host.ts',
        from: 'for (const address of addresses) {\n      const rule',
        to: 'for (const address of addresses.slice(0, 1)) {\n      const rule',
        foundBy: {
          file: 'test/network/forbidden-addresses.test.ts',
          test: 'is not connected to if a name resolves to it, alone or with public addresses',
        },
      },
      {
        name: 'the name is looked up again for the connection',
        file: 'src/webhooks/network/checked-agents.ts',
        from: "const addresses = await resolveHost(options.host ?? '', options.lookupSignal);",
        to: "await resolveHost(options.host ?? '', options.lookupSignal);\n  const addresses = await resolveHost(options.host ?? '', options.lookupSignal);",
        foundBy: {
          file: 'test/network/forbidden-addresses.test.ts',
          test: 'is not connected to if a later lookup gives it',
        },
      },
      {
        name: 'a certificate is not checked',
        file: 'src/webhooks/network/checked-agents.ts',
        from: 'rejectUnauthorized: true',
        to: 'rejectUnauthorized: false',
        foundBy: {
          file: 'test/network/names-and-certificates.test.ts',
          test: 'nothing is sent to a receiver whose certificate is not right',
        },
      },
    ],
  },
  {
    promise: 'Endpoints belong to one account, and a secret is shown once',
    in: ['SPEC.md: Keys'],
    faults: [
      {
        name: 'an endpoint is found for every account',
        file: 'src/webhooks/sqlite/webhooks.ts',
        from: 'FROM webhook_endpoints AS e WHERE e.account = ?1`',
        to: 'FROM webhook_endpoints AS e WHERE (e.account = ?1 OR true)`',
        foundBy: {
          file: 'test/http/webhooks/404-isolation.test.ts',
          test: '404: the endpoint of another account, as one that does not exist',
        },
      },
    ],
  },
];
