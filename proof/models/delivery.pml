/*
 * Delivery: instances deliver the changes of an account to one endpoint, while receivers fail, instances
 * crash, and the owner replays.
 *
 * Any of the instances can work at any moment: a lease keeps others off, but an instance that was suspended
 * does not know that its lease has ended. An instance has in memory which changes are settled, and stores its
 * progress now and then, in one transaction of the database, unless the owner has replayed since it read the
 * endpoint. The progress is the place (every change up to it is settled), new failures, and failures that
 * were delivered. Changes are the bits of a byte: the first one is 1.
 */
#ifndef CHANGES
#define CHANGES 3
#endif
#ifndef FAILURES
#define FAILURES 2
#endif
#ifdef ORDERED
#define WINDOW 1
#else
#define WINDOW 2
#endif
#ifdef TWO_IN_FLIGHT
#undef WINDOW
#define WINDOW 2
#endif
#define INSTANCES 2
#define ALL ((1 << CHANGES) - 1)
/* The changes up to a place, as bits. */
#define upTo(number) ((1 << (number)) - 1)

/* The endpoint as it is stored. */
byte place, failures, version;
/* Changes that have still to arrive, and those that have ever arrived. */
byte owed = ALL, arrived;
byte refusals;

#define isSafe ((owed & upTo(place) & (255 - failures)) == 0)

proctype Instance() {
  byte readVersion, readPlace, settled, known, failed, delivered, change, inFlight, acknowledged, count;
start: skip;
  d_step {
    readVersion = version; readPlace = place; acknowledged = place; settled = upTo(place); known = failures;
    failed = 0; delivered = 0; inFlight = 0; count = 0; change = 0
  };
  do
  :: count < WINDOW -> /* An attempt begins: of the next changes, or again of a failure. */
    atomic {
      if
      :: (inFlight | settled) & 1 -> skip :: else -> change = 1; goto chosen
      fi;
      if
      :: ((inFlight | settled) & 2) || CHANGES < 2 -> skip :: else -> change = 2; goto chosen
      fi;
      if
      :: ((inFlight | settled) & 4) || CHANGES < 3 -> skip :: else -> change = 4; goto chosen
      fi;
      change = 0;
      goto nothing;
chosen: inFlight = inFlight | change; count++;
#ifdef SETTLED_WHEN_BEGUN
      settled = settled | change;
#endif
nothing: change = 0
    }
  :: count < WINDOW && (known & settled & (255 - inFlight)) ->
    atomic {
      if :: known & settled & 1 & (255 - inFlight) -> change = 1 :: known & settled & 2 & (255 - inFlight) -> change = 2 :: known & settled & 4 & (255 - inFlight) -> change = 4 fi;
      inFlight = inFlight | change; count++;
#ifdef FAILURE_REMOVED_WHEN_BEGUN
      delivered = delivered | change; known = known & (255 - change);
#endif
      change = 0
    }
  :: inFlight -> /* An attempt ends, whichever. */
    atomic {
      if :: inFlight & 1 -> change = 1 :: inFlight & 2 -> change = 2 :: inFlight & 4 -> change = 4 fi;
      inFlight = inFlight & (255 - change); count--;
      if
      :: /* It arrives, and the answer as well. */
#ifdef ORDERED
        assert((arrived & (change - 1)) == change - 1);
#endif
        arrived = arrived | change; owed = owed & (255 - change);
        settled = settled | change;
        if :: known & change -> delivered = delivered | change; known = known & (255 - change); failed = failed & (255 - change) :: else fi
      :: refusals < FAILURES ->
        refusals++;
        if
        :: skip /* It does not arrive. */
        :: /* It arrives, and the answer does not. */
#ifdef ORDERED
          assert((arrived & (change - 1)) == change - 1);
#endif
          arrived = arrived | change; owed = owed & (255 - change)
        fi;
#ifndef ORDERED
        /* It becomes a failure, which has its own attempts and holds up no other change. */
        settled = settled | change; known = known | change; failed = failed | change
#endif
      fi;
      change = 0;
      do :: acknowledged < CHANGES && (settled & (1 << acknowledged)) -> acknowledged++ :: else -> break od
    }
  :: acknowledged != readPlace || failed || delivered -> /* Progress is stored. */
    atomic {
      if
#ifdef REPLAYS_ARE_OVERWRITTEN
      :: true ->
#else
      :: version <= readVersion && place >= readPlace ->
#endif
        place = (acknowledged > place -> acknowledged : place);
#ifndef FAILURES_ARE_STORED_LATER
        failures = (failures | failed) & (255 - delivered);
#endif
        assert(isSafe);
        readPlace = acknowledged;
#ifndef FAILURES_ARE_STORED_LATER
        failed = 0; delivered = 0
#endif
      :: else -> goto start
      fi
    };
#ifdef FAILURES_ARE_STORED_LATER
    d_step { failures = (failures | failed) & (255 - delivered); failed = 0; delivered = 0 }
#endif
  :: goto start /* It crashes and starts again, or reads the endpoint again: what it had not stored is forgotten. */
  :: place == CHANGES && !failures && !failed && !delivered && acknowledged == CHANGES && version == 1 -> break
  od;
  assert(owed == 0)
}

/* Once, the owner replays everything after a place. */
proctype Owner() {
  byte after;
  select (after: 0 .. CHANGES - 1);
  skip;
  d_step {
    after < place -> skip;
    version++;
    place = after;
    failures = failures & upTo(after);
    owed = owed | (ALL & (255 - upTo(after)))
  }
}

init { atomic { run Instance(); run Instance(); run Owner() } }
