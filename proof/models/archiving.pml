/*
 * Archiving: while old days of an account are archived, each acknowledged recording is in the database or in
 * a complete file, and none is recorded twice.
 *
 * An archive writes a file, stores the end of the archived days under the lock of the head, and then removes
 * the rows of the file in steps. It can be killed at any point and run again. If the archive was stored, the
 * next run finishes it from the file. Otherwise, the next run discards the file. A recorder reads the end of
 * the archived days in the transaction that records. Callers repeat recordings at any time.
 */
#ifndef RECORDERS
#define RECORDERS 2
#endif
#ifndef RECORDINGS
#define RECORDINGS 4
#endif
#ifndef TRIES
#define TRIES 3
#endif
#ifndef KILLS
#define KILLS 1
#endif
#define FREE 255
/* Each recording is a bit of a byte. These bits are the recordings of an old day. */
#define OLD 5
#define ALL ((1 << RECORDINGS) - 1)

byte rows, acknowledged, twice;
/* A file that is being written is lost when its archive is killed. */
byte writing, whole;
byte kills, lockedBy = FREE;
bool isStored;

#define lock atomic { lockedBy == FREE -> lockedBy = _pid }
#define unlock lockedBy = FREE
#define isKept ((acknowledged & (255 - (rows | whole))) == 0)

proctype Recorder() {
  byte recording, tries;
  bool isArchived;
  do
  :: tries < TRIES ->
    tries++;
    if :: recording = 1 :: recording = 2 :: recording = 4 :: recording = 8 fi;
    if :: recording & ALL -> skip :: else -> recording = 1 fi;
#ifdef DAYS_ARE_READ_BEFORE_THE_LOCK
    isArchived = isStored;
#endif
    lock;
#ifndef DAYS_ARE_READ_BEFORE_THE_LOCK
    isArchived = isStored;
#endif
    d_step {
      if
      :: rows & recording -> acknowledged = acknowledged | recording
      :: else ->
        if
        :: isArchived && (recording & OLD) -> skip /* Refused: it may be in a file. */
        :: else ->
          assert(!(acknowledged & recording));
          rows = rows | recording; acknowledged = acknowledged | recording
        fi
      fi;
      recording = 0; isArchived = false;
      lockedBy = FREE
    }
  :: tries == TRIES -> break
  od
}

proctype Archive() {
  byte one, read;
start: skip;
  d_step { writing = 0; one = 0; read = 0; if :: !isStored -> whole = 0 :: else fi };
  if
  :: !isStored ->
    read = rows & OLD;
    do :: read -> d_step { if :: read & 1 -> one = 1 :: read & 4 -> one = 4 fi; read = read & (255 - one); writing = writing | one; one = 0 }
    :: !read -> break
    :: kills < KILLS -> kills++; goto start
    od;
#ifdef REMOVED_BEFORE_THE_FILE_IS_WHOLE
    rows = rows & (255 - writing);
    if :: kills < KILLS -> kills++; goto start :: skip fi;
#endif
    skip;
    d_step { whole = writing; writing = 0 };
    if :: kills < KILLS -> kills++; goto start :: skip fi;
#ifdef DAYS_ARE_STORED_AFTER_REMOVAL
    rows = rows & (255 - whole);
    assert(isKept);
#endif
    lock;
    d_step { isStored = true; lockedBy = FREE }
  :: isStored -> skip
  fi;
  do
#ifdef REMOVES_WHAT_THE_FILE_HAS_NOT
  :: rows & OLD ->
    d_step { if :: rows & 1 -> rows = rows & 254 :: else -> rows = rows & 251 fi; assert(isKept) }
  :: !(rows & OLD) -> break
#else
  :: rows & whole ->
    atomic { if :: rows & whole & 1 -> rows = rows & 254 :: rows & whole & 4 -> rows = rows & 251 fi; assert(isKept) }
  :: !(rows & whole) -> break
#endif
  :: kills < KILLS -> kills++; goto start
  od;
  assert(isKept)
}

init {
  atomic {
    byte count;
    do :: count < RECORDERS -> run Recorder(); count++ :: else -> break od;
    run Archive();
    count = 0
  }
}
