/** What histories leave out, because the service does it wrong: each line goes with its correction. */
export const KNOWN_FAULTS: readonly string[] = [
  // An instance whose clock is ahead does not end sessions that have expired by its clock.
  'a clock is set',
  // An archive that was interrupted after its file got its name is not completed once details were removed.
  'the archive is killed',
  // A copy of an archived account does not verify, and a third one between the same databases is refused.
  'the service moves to its other database',
];
