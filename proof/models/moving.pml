/*
 * Moving: while an account is moved to another database and its transactions are recorded, no acknowledged
 * recording is lost, and no number is given twice.
 *
 * A copy follows the source, marks the account as moved, copies the rest, and compares both sides. Only then
 * can services open the target. The copy can be killed and run again, or it can give up and remove the mark.
 * A recorder reads the mark in the transaction that records, under the lock of the head. Setting the mark
 * takes the same lock. A refused recorder sends its transaction again, and to the target once the target is
 * open.
 */
#ifndef RECORDERS
#define RECORDERS 2
#endif
#ifndef RECORDINGS
#define RECORDINGS 4
#endif
#ifndef KILLS
#define KILLS 2
#endif
#define NUMBERS (RECORDINGS + 1)
#define FREE 255

/* source[n] and target[n] are the recording with the number n. The first recording is 1, and 0 is none. */
byte source[NUMBERS], sourceHead, target[NUMBERS], targetHead;
byte made, kills, lockedBy = FREE;
bool isMoved, isOpen;
bool acknowledged[NUMBERS];

#define lock atomic { lockedBy == FREE -> lockedBy = _pid }
#define unlock lockedBy = FREE

proctype Recorder() {
  byte recording, number;
  bool sawMark;
  do
  :: d_step { made < RECORDINGS -> made++; recording = made };
    do
    :: isOpen -> /* The platform sends the transaction to the new service. */
      d_step {
        targetHead++; target[targetHead] = recording; acknowledged[recording] = true
      };
      break
    :: !isOpen ->
#ifdef MARK_IS_READ_BEFORE_THE_LOCK
      sawMark = isMoved;
#endif
      lock;
      if
      :: kills < KILLS -> kills++; unlock; goto lost
      :: skip
      fi;
#ifndef MARK_IS_READ_BEFORE_THE_LOCK
      sawMark = isMoved;
#endif
      if
      :: sawMark -> unlock
      :: !sawMark ->
        number = sourceHead + 1;
        d_step {
          assert(!isOpen);
          sourceHead = number; source[number] = recording; acknowledged[recording] = true; lockedBy = FREE
        };
        break
      fi
    od;
lost: sawMark = false; number = 0
  :: made == RECORDINGS -> break
  od
}

proctype Copy() {
  byte compared;
  bool isEqual;
start: compared = 0; isEqual = false;
  do
  :: isOpen -> break
  :: d_step { targetHead < sourceHead && !isOpen -> targetHead++; target[targetHead] = source[targetHead] }
  :: kills < KILLS -> kills++; goto start
#ifdef HEADS_ARE_COMPARED_BEFORE_THE_MARK
  :: !isMoved -> isEqual = (targetHead == sourceHead); lock; isMoved = true; unlock
#else
  :: !isMoved -> lock; isMoved = true; unlock
#endif
  :: isMoved && !isOpen ->
#ifdef REST_IS_NOT_COPIED
    isEqual = true;
#else
#ifndef HEADS_ARE_COMPARED_BEFORE_THE_MARK
    isEqual = (targetHead == sourceHead);
#endif
#endif
    if
    :: isEqual ->
#ifdef GIVES_UP_AFTER_OPENING
      isOpen = true;
      if :: isMoved = false :: skip fi
#else
      d_step {
        assert(sourceHead == targetHead);
        compared = 1;
        do
        :: compared > sourceHead -> break
        :: else -> assert(source[compared] == target[compared]); compared++
        od;
        compared = 0;
        isOpen = true
      }
#endif
    :: !isEqual -> skip
    :: !isEqual && kills < KILLS -> kills++; isMoved = false /* The copy gives up. */
    fi
  od
}

/* Each acknowledged recording has exactly one number in the database that services use. */
proctype Reader() {
  byte number, recording, count;
  do
  :: d_step {
      recording = 1;
      do
      :: recording == NUMBERS -> break
      :: else ->
        count = 0; number = 1;
        do
        :: number == NUMBERS -> break
        :: else -> count = count + ((isOpen -> target[number] : source[number]) == recording); number++
        od;
        assert(count == acknowledged[recording]);
        recording++
      od;
      number = 0; recording = 0; count = 0
    }
  :: isOpen && made == RECORDINGS -> break
  od
}

init {
  atomic {
    byte count;
    do :: count < RECORDERS -> run Recorder(); count++ :: else -> break od;
    run Copy(); run Reader();
    count = 0
  }
}
