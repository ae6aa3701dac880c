import type { Promised } from '../promised.ts';

export const START: readonly Promised[] = [
  {
    promise: 'Only serve, import, migrate, copy and demo migrate: other commands refuse an older schema',
    in: [],
    faults: [
      {
        name: 'every command uses an older schema',
        file: 'src/db/migrations.ts',
        from: 'if (needed === undefined) return;',
        to: 'if (needed?.isEmpty !== true) return;',
        foundBy: {
          file: 'src/db/migrations.test.ts',
          test: 'an older schema and an empty database are refused',
        },
      },
      {
        name: 'a command that lists migrates',
        file: 'src/cli/with-store.ts',
        from: '{ mustBeMigrated: true, writesRarely: true }',
        to: '{ writesRarely: true }',
        foundBy: {
          file: 'test/cli/upgrade.test.ts',
          test: 'is not changed by a command that does not migrate',
        },
      },
    ],
  },
  {
    promise: 'A name in .env that is no setting is refused, and variables of other programs are not',
    in: [],
    faults: [
      {
        name: 'an unknown name in .env has no effect',
        file: 'src/config/read-config.ts',
        from: 'name in file &&',
        to: 'name in file && question !== undefined &&',
        foundBy: {
          file: 'src/config/read-config.test.ts',
          test: 'a name in .env that is no setting is refused',
        },
      },
      {
        name: 'an unknown name in the environment is refused',
        file: 'src/config/read-config.ts',
        from: 'name in file &&',
        to: "name.includes('_') &&",
        foundBy: {
          file: 'src/config/read-config.test.ts',
          test: 'the variables of other programs are not taken for misspelt settings',
        },
      },
    ],
  },
];
