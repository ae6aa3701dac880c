import type { Listener } from '../../src/http/telemetry/http-metrics.ts';

interface Readers {
  title: string;
  listener: Listener;
  documents: Readonly<Record<string, string>>;
}

const READERS: readonly Readers[] = [
  {
    title: 'For operators',
    listener: 'operator',
    documents: {
      operating: 'docs/operating.md',
      settings: 'docs/settings.md',
      commands: 'docs/commands.md',
      troubleshooting: 'docs/troubleshooting.md',
      backup: 'docs/backup.md',
      postgresql: 'docs/postgresql.md',
      citus: 'docs/citus.md',
      moving: 'docs/moving.md',
      'delivering-webhooks': 'docs/delivering-webhooks.md',
      staff: 'docs/staff.md',
      sizing: 'docs/sizing.md',
      performance: 'docs/performance.md',
      reliability: 'docs/reliability.md',
      security: 'SECURITY.md',
      releasing: 'docs/releasing.md',
    },
  },
  {
    title: "For the platform's developers",
    listener: 'operator',
    documents: {
      recording: 'docs/recording.md',
      people: 'docs/people.md',
      warehouse: 'docs/warehouse.md',
      conformance: 'proof/conformance/README.md',
    },
  },
  {
    title: 'For developers',
    listener: 'public',
    documents: {
      'using-the-api': 'docs/using-the-api.md',
      client: 'client/README.md',
      'account-commands': 'docs/account-commands.md',
      'change-feed': 'docs/change-feed.md',
      webhooks: 'docs/webhooks.md',
      assistants: 'docs/assistants.md',
      specification: 'SPEC.md',
    },
  },
  {
    title: 'For finance and support',
    listener: 'public',
    documents: {
      'looking-at-transactions': 'docs/looking-at-transactions.md',
      'closing-a-month': 'docs/closing-a-month.md',
      reconciling: 'docs/reconciling.md',
      auditing: 'docs/auditing.md',
    },
  },
];

/** The operator's listener also serves the merchants' documents, because operators advise merchants. */
export const readersAt = (listener: Listener): readonly Readers[] =>
  READERS.filter((readers) => listener === 'operator' || readers.listener === listener);
