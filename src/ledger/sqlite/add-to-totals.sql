-- An amount is amount_high * 1000000000 + amount_low.
-- on: account

-- name: addToTotal (sqlite)
-- Adds to the total of a day. Both low parts are below 1,000,000,000, so the carry is 0 or 1.
UPDATE daily_totals
SET count = count + :count, amount_high = amount_high + :high + (amount_low + :low) / 1000000000,
  amount_low = (amount_low + :low) % 1000000000
WHERE account = :account AND day = :day AND currency_code = :currency AND status = :status;

-- name: insertTotal (sqlite)
INSERT INTO daily_totals (account, day, currency_code, status, count, amount_high, amount_low)
VALUES (:account, :day, :currency, :status, :count, :high, :low);

-- name: removeTotal (sqlite)
DELETE FROM daily_totals
WHERE account = :account AND day = :day AND currency_code = :currency AND status = :status AND count = 0;
