/**
 * The statuses from which a merged list is read: those of every service, and those that lists have found in
 * the table. The setting is not used, because the table can have statuses that are no longer declared.
 */
export class KnownStatuses {
  #sorted: readonly string[] = ['completed', 'pending'];

  /** In the order of the database, which is by bytes. */
  get sorted(): readonly string[] {
    return this.#sorted;
  }

  add(statuses: readonly string[]): void {
    this.#sorted = [...new Set([...this.#sorted, ...statuses])].sort();
  }
}
