import type { BackgroundConnections } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { changePages } from '../../changes/postgres/list-changes.ts';
import { sealChanges } from '../seal.ts';
import type { Sealer } from '../seals.ts';

export function changeSealer(
  background: BackgroundConnections,
  topology: Topology,
): Pick<Sealer, 'sealChanges'> {
  const listChanges = changePages(topology);
  return {
    sealChanges: async (account, from, limit) =>
      sealChanges(account, from, await listChanges(background, { account, after: from.sequence, limit })),
  };
}
