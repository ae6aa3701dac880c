-- The roll-up: sums of transactions at the sequence number that `folded` has for their account. A day counts from 1970-01-01,
-- a month from January 1970. An amount is amount_high * 1000000000 + amount_low hundredths, so that no sum exceeds 64 bits.
CREATE TABLE daily_totals (
  account       TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  day           INTEGER NOT NULL,
  currency_code TEXT    NOT NULL,
  status        TEXT    NOT NULL,
  count         INTEGER NOT NULL CHECK (count >= 0),
  amount_high   INTEGER NOT NULL,
  amount_low    INTEGER NOT NULL CHECK (amount_low BETWEEN 0 AND 999999999),
  PRIMARY KEY (account, day, currency_code, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE monthly_totals (
  account       TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  month         INTEGER NOT NULL,
  currency_code TEXT    NOT NULL,
  status        TEXT    NOT NULL,
  count         INTEGER NOT NULL CHECK (count >= 0),
  amount_high   INTEGER NOT NULL,
  amount_low    INTEGER NOT NULL CHECK (amount_low BETWEEN 0 AND 999999999),
  PRIMARY KEY (account, month, currency_code, status)
) STRICT, WITHOUT ROWID;

-- Apart from `accounts`, so that recordings and folding never wait for each other's rows.
CREATE TABLE folded (
  account  TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64),
  sequence INTEGER NOT NULL CHECK (sequence >= 1)
) STRICT, WITHOUT ROWID;
