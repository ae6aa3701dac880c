/*
 * Delivery: every change of an account arrives at an endpoint, although receivers fail, instances crash, and
 * the owner replays.
 *
 * A suspended instance does not know that its lease has ended, so any instance can work at any moment. An
 * instance remembers which changes are settled. Now and then, it stores its progress in one transaction of
 * the database, unless the owner has replayed since the instance read the endpoint. The progress consists of
 * the place (every change up to it is settled), new failures, and failures that were delivered. Each change
 * is a bit of a byte, and the first change is 1.
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
/* The bits of the changes 1 to `number`. */
#define upTo(number) ((1 << (number)) - 1)

/* The stored endpoint. */
byte place, failures, version;
/* `owed`: changes that must still arrive. `arrived`: changes that have arrived at least once. */
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
  :: count < WINDOW -> /* An attempt begins: for one of the next changes, or again for a failure. */
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
  :: inFlight -> /* Any of the attempts ends. */
    atomic {
      if :: inFlight & 1 -> change = 1 :: inFlight & 2 -> change = 2 :: inFlight & 4 -> change = 4 fi;
      inFlight = inFlight & (255 - change); count--;
      if
      :: /* The change arrives, and so does the answer. */
#ifdef ORDERED
        assert((arrived & (change - 1)) == change - 1);
#endif
        arrived = arrived | change; owed = owed & (255 - change);
        settled = settled | change;
        if :: known & change -> delivered = delivered | change; known = known & (255 - change); failed = failed & (255 - change) :: else fi
      :: refusals < FAILURES ->
        refusals++;
        if
        :: skip /* The change does not arrive. */
        :: /* The change arrives, but the answer does not. */
#ifdef ORDERED
          assert((arrived & (change - 1)) == change - 1);
#endif
          arrived = arrived | change; owed = owed & (255 - change)
        fi;
#ifndef ORDERED
        /* The change becomes a failure. It then has its own attempts and holds up no other change. */
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
  :: goto start /* The instance crashes, or reads the endpoint again. It forgets what it had not stored. */
  :: place == CHANGES && !failures && !failed && !delivered && acknowledged == CHANGES && version == 1 -> break
  od;
  assert(owed == 0)
}

/* Once, the owner replays every change after a place. */
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
