import { DATABASES, storeEndpoint, storeProgress } from '../rig/transcript/databases.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url, {
  databases: DATABASES,
  commands: { endpoint: storeEndpoint, progress: storeProgress },
});
