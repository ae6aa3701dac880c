import type { RecordTable } from '../../values/tables.ts';
import type { StoredRecord, VerifyReader } from '../verify/verify-reader.ts';

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
  for await (const { endpoint_id: id, sequence } of recordsOf(reader, 'webhook_failures', account))
    if (Number(sequence) <= floorSequence) failures.set(id, (failures.get(id) ?? 0) + 1);
  for await (const endpoint of recordsOf(reader, 'webhook_endpoints', account)) {
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

async function* recordsOf(
  reader: VerifyReader,
  table: RecordTable,
  account: string,
): AsyncGenerator<StoredRecord, undefined> {
  for (let after: readonly (string | number)[] | null | undefined = null; after !== undefined; ) {
    const page = await reader.readRecords(table, account, after);
    yield* page.records;
    after = page.next;
  }
  return undefined;
}
