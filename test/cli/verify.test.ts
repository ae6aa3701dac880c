import { mkdirSync } from 'node:fs';
import { DATABASES } from '../rig/transcript/databases.ts';
import { transcript } from '../rig/transcript/transcript.ts';
import { makeHealthy } from '../verify/healthy-database.ts';

transcript(import.meta.url, {
  databases: DATABASES,
  commands: {
    healthy: async (_, { databaseUrl, cwd }) => {
      mkdirSync(`${cwd}/data`, { recursive: true });
      await makeHealthy(databaseUrl);
      return undefined;
    },
  },
});
