export const archivedNote = (archivedBefore: string | undefined): string[] =>
  archivedBefore === undefined
    ? []
    : [
        `Archived transactions are not included: they were created before ${archivedBefore} and had a final status. The operator of the service has them.`,
      ];
