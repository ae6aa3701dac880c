export const archivedNote = (archivedBefore: string | undefined): string[] =>
  archivedBefore === undefined
    ? []
    : [
        `Transactions that were created before ${archivedBefore} are archived and not included: the operator of the service has them.`,
      ];
