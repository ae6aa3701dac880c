/*
 * Restores: a follower's copy of an account's changes becomes right again after backups are restored.
 *
 * The id of a change is made from a random nonce, so no id is made twice. In this model, ids count up, also
 * after a restore. The follower sends the number and the id of its last change. If the history has another
 * change with that number, the follower is refused. It then finds the last common change by bisection,
 * forgets the changes after it, and goes on. The database can be restored between any two of its requests.
 */
#ifndef RECORDINGS
#define RECORDINGS 5
#endif
#ifndef RESTORES
#define RESTORES 2
#endif
#ifndef BACKUPS
#define BACKUPS 2
#endif
#define NUMBERS (RECORDINGS + 1)

/* The content and the id of each change, by number. Numbers begin at 1, and 0 is none. */
byte history[NUMBERS], historyIds[NUMBERS], head;
byte backup[NUMBERS], backupIds[NUMBERS], backupHead;
byte copy[NUMBERS], copyIds[NUMBERS], last;
byte made, ids, restores, backups;
bool isRecorded;

#define COPY_ALL(from, fromIds, fromHead, to, toIds, toHead) \
  number = 0; \
  do \
  :: number == NUMBERS -> break \
  :: else -> \
    to[number] = (number <= fromHead -> from[number] : 0); \
    toIds[number] = (number <= fromHead -> fromIds[number] : 0); \
    number++ \
  od; \
  number = 0; \
  toHead = fromHead

proctype Service() {
  byte number;
  do
  :: d_step { made < RECORDINGS ->
      made++; ids++; head++;
      history[head] = made;
#ifdef ID_OF_THE_NUMBER
      historyIds[head] = head
#else
      historyIds[head] = ids
#endif
    }
  :: d_step { backups < BACKUPS -> backups++; COPY_ALL(history, historyIds, head, backup, backupIds, backupHead) }
  :: d_step { restores < RESTORES -> restores++; COPY_ALL(backup, backupIds, backupHead, history, historyIds, head);
#ifdef IDS_ARE_RESTORED
      ids = head
#endif
    }
  :: made == RECORDINGS -> break
  od;
  isRecorded = true
}

#ifdef ID_IS_NOT_COMPARED
#define isSame(one) (one <= head)
#else
#define isSame(one) (one == 0 || (one <= head && historyIds[one] == copyIds[one]))
#endif

proctype Follower() {
  byte number, common, first, middle;
  do
  :: d_step { isSame(last) && last < head -> /* Accepted: the follower gets the next change, and its copy equals the history. */
      last++;
      copy[last] = history[last]; copyIds[last] = historyIds[last];
      number = 1;
      do
      :: number > last -> break
      :: else -> assert(copy[number] == history[number]); number++
      od;
      number = 0
    }
  :: !isSame(last) -> /* Refused. */
#ifdef REWINDS_TO_THE_HEAD
    d_step { last = (head < last -> head : last); copy[last] = history[last]; copyIds[last] = historyIds[last] };
#else
    common = 0; first = last;
    do
    :: common == first -> break
    :: common < first ->
      middle = (common + first + 1) / 2;
      if
      :: isSame(middle) -> common = middle
      :: !isSame(middle) -> first = middle - 1
      fi
    od;
    skip;
    d_step {
      do :: last > common -> copy[last] = 0; copyIds[last] = 0; last-- :: else -> break od;
      common = 0; first = 0; middle = 0
    }
#endif
  :: d_step { isRecorded && isSame(last) && last == head -> /* At the end, the copy is the history. */
      number = 1;
      do
      :: number > head -> break
      :: else -> assert(copy[number] == history[number]); number++
      od;
      number = 0
    };
    break
  od
}

init { atomic { run Service(); run Follower() } }
