/*
 * Numbering and visibility: recorders give numbers to changes of accounts at the same time, roll back and
 * are killed. A reader always sees the numbers 1 to the head (the last number of the account), each once.
 *
 * A recorder locks the heads of its accounts in one order, reads them, writes the next number of each
 * account, and commits. Everything that it wrote becomes visible at once, and only then are its locks
 * released. A recorder that was killed sends its transactions again.
 */
#ifndef RECORDERS
#define RECORDERS 3
#endif
#ifndef TRIES
#define TRIES 2
#endif
#ifndef REFERENCES
#define REFERENCES 2
#endif
#define ACCOUNTS 2
#define NUMBERS 8
#define FREE 255

/* Committed state, which every process sees. */
bool exists[ACCOUNTS];
byte head[ACCOUNTS];
/* Counts of changes: by AT(account, number) in `changes`, by AT(account, reference) in `recorded`. */
byte changes[16];
byte recorded[16];
bool acknowledged[16];
byte lockedBy[ACCOUNTS] = FREE;
#ifdef NUMBER_OF_A_SEQUENCE
byte given[ACCOUNTS];
#endif

#define AT(account, number) ((account) * NUMBERS + (number))
#define wants(account) (both || only == account)
#define unlock(account) if :: lockedBy[account] == _pid -> lockedBy[account] = FREE :: else fi

proctype Recorder() {
  byte account, number[ACCOUNTS], reference, tries;
  bool both, only, all, isNew[ACCOUNTS];
  select (reference: 0 .. REFERENCES - 1);
  if :: both = true :: only = 0 :: only = 1 fi;
  do
  :: tries == TRIES -> break
  :: tries < TRIES ->
    tries++;
    all = true;
    number[0] = 0; number[1] = 0;
#ifdef HEAD_BEFORE_LOCK
    d_step { number[0] = head[0]; number[1] = head[1]; isNew[0] = !recorded[AT(0, reference)]; isNew[1] = !recorded[AT(1, reference)] }
#endif
#ifdef LOCKS_IN_ANY_ORDER
    if :: account = 0 :: account = 1 fi;
#else
    account = 0;
#endif
#define LOCK \
    if \
    :: !wants(account) || !exists[account] -> all = all && !wants(account) \
    :: wants(account) && exists[account] && lockedBy[account] == FREE -> lockedBy[account] = _pid \
    fi
    atomic { LOCK }; account = 1 - account;
    atomic { LOCK }; account = 0;
    if
    :: goto rolledBack /* Killed, or cancelled while it waits for a row. */
    :: skip
    fi;
#ifndef HEADS_ARE_NOT_COUNTED
    if
    :: !all -> /* A head is missing, so nothing is recorded: heads are made, and everything begins again. */
      atomic {
        unlock(0); unlock(1);
        if :: wants(0) -> exists[0] = true :: else fi;
        if :: wants(1) -> exists[1] = true :: else fi;
        tries--
      };
      goto again
    :: else
    fi;
#else
    d_step { if :: wants(0) -> exists[0] = true :: else fi; if :: wants(1) -> exists[1] = true :: else fi };
#endif
#ifndef HEAD_BEFORE_LOCK
    d_step { number[0] = head[0]; number[1] = head[1]; isNew[0] = !recorded[AT(0, reference)]; isNew[1] = !recorded[AT(1, reference)] };
#endif
#ifdef NUMBER_OF_A_SEQUENCE
    d_step { given[0] = given[0] + (wants(0) && isNew[0]); given[1] = given[1] + (wants(1) && isNew[1]); number[0] = given[0] - 1; number[1] = given[1] - 1 };
#endif
#ifdef UNLOCKED_BEFORE_VISIBLE
    d_step { unlock(0); unlock(1) };
#endif
#ifdef ACKNOWLEDGED_BEFORE_COMMIT
    acknowledged[AT(0, reference)] = acknowledged[AT(0, reference)] || wants(0);
#endif
    if
    :: goto rolledBack /* Killed before its commit. */
    :: skip;
      d_step { /* Everything that was written becomes visible. */
        account = 0;
        do
        :: account == ACCOUNTS -> break
        :: account < ACCOUNTS ->
          if
          :: wants(account) && isNew[account] ->
            number[account]++;
            changes[AT(account, number[account])]++;
            recorded[AT(account, reference)]++;
            head[account] = number[account]
          :: else
          fi;
          account++
        od;
        account = 0
      }
    fi;
    if
    :: acknowledged[AT(0, reference)] = acknowledged[AT(0, reference)] || wants(0)
    :: skip /* Killed after its commit: nobody knows the outcome, so the transaction is sent again. */
    fi;
rolledBack: skip;
    d_step { unlock(0); unlock(1) };
again: skip
  od
}

/* A reader must see the numbers 1 to the head, each once, and never fewer than before. */
proctype Reader() {
  byte account, number, seen;
  if :: account = 0 :: account = 1 fi;
  do
  :: d_step {
      assert(head[account] >= seen);
      number = 1;
      do
      :: number == NUMBERS -> break
      :: number < NUMBERS ->
        assert(changes[AT(account, number)] == (number <= head[account] -> 1 : 0));
        number++
      od;
      seen = head[account];
      number = 0;
      assert(recorded[AT(account, 0)] <= 1 && recorded[AT(account, 1)] <= 1);
      assert(!acknowledged[AT(0, 0)] || recorded[AT(0, 0)] == 1);
      assert(!acknowledged[AT(0, 1)] || recorded[AT(0, 1)] == 1)
    }
  :: seen > 0 -> break
  od
}

init {
  atomic {
    byte count;
    do :: count < RECORDERS -> run Recorder(); count++ :: else -> break od;
    count = 0;
    run Reader()
  }
}
