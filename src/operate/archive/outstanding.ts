/** An endpoint that has not had all changes up to the floor. */
export interface Outstanding {
  webhookId: string;
  /** How far its deliveries are. */
  acknowledgedSequence: number;
  /** How many changes up to the floor are kept as failures. */
  failures: number;
  isDisabled: boolean;
}

/** What an archive reads of an endpoint of its account. */
export type DeliveredUpTo = [webhookId: string, acknowledgedSequence: number, disabledAtMs: number | null];

/** The endpoints with deliveries of changes up to a floor that have not been made. `failures` counts those up to the floor. */
export const outstandingOf = (
  endpoints: readonly DeliveredUpTo[],
  failures: readonly [webhookId: string, count: number][],
  floorSequence: number,
): Outstanding[] => {
  const counts = new Map(failures);
  return endpoints
    .map(([webhookId, acknowledgedSequence, disabledAtMs]) => ({
      webhookId,
      acknowledgedSequence,
      failures: counts.get(webhookId) ?? 0,
      isDisabled: disabledAtMs !== null,
    }))
    .filter((one) => one.acknowledgedSequence < floorSequence || one.failures > 0);
};
