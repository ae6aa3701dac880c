import type { Instance } from '../../../src/instances/instance.ts';

export const someInstance = (instance: string, settings: Instance['settings'] = {}): Instance => ({
  instance,
  host: `${instance}:1`,
  version: '0.1.0',
  settings,
});
