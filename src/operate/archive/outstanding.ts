import { readAllRecords } from '../verify/read-rows.ts';
import type { VerifyReader } from '../verify/verify-reader.ts';

/** An endpoint that has not had all changes up to the floor. */
export interface Outstanding {
  webhookId: string;
  /** How far its deliveries are. */
  acknowledgedSequence: number;
  /** How many changes up to the floor are kept as failures. */
  failures: number;
  isDisabled: boolean;
}

/** The endpoints of an account with deliveries of changes up to a floor that have not been made. */
export async function findOutstanding(
  reader: VerifyReader,
  account: string,
  floorSequence: number,
): Promise<Outstanding[]> {
  const found: Outstanding[] = [];
  const failures = new Map<unknown, number>();
  for await (const page of readAllRecords(reader, 'webhook_failures', account))
    for (const { endpoint_id: id, sequence } of page)
      if (Number(sequence) <= floorSequence) failures.set(id, (failures.get(id) ?? 0) + 1);
  for await (const page of readAllRecords(reader, 'webhook_endpoints', account))
    for (const endpoint of page) {
      const acknowledgedSequence = Number(endpoint['acknowledged_sequence']);
      const kept = failures.get(endpoint['id']) ?? 0;
      if (acknowledgedSequence >= floorSequence && kept === 0) continue;
      found.push({
        webhookId: String(endpoint['id']),
        acknowledgedSequence,
        failures: kept,
        isDisabled: endpoint['disabled_reason'] !== null,
      });
    }
  return found;
}
