import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import { endInFlight } from '../../../http/overload/load-shedding.ts';
import type { QueryParameters } from '../../../http/parse-query.ts';
import { refuseFaulty, unavailable } from '../../../http/problems/problem.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { formatSum } from '../../../values/amount.ts';
import { formatDay } from '../../../values/calendar.ts';
import { FaultList } from '../../../values/fault-list.ts';
import type { Statuses } from '../../../values/status.ts';
import { withinTime } from '../../../values/time-limit.ts';
import { readTotals } from '../read-totals.ts';
import { MAX_SUMMED, type Total as SumOfTransactions, type TotalsReader } from '../totals.ts';
import { TOTALS_FAULT_CODES, type TotalsFault, totalsRequestReader } from '../totals-query.ts';
import { TOTALS_EXAMPLES, TOTALS_PROBLEM_EXAMPLES } from './totals-examples.ts';
import { readTotalsQuery, type TotalBody, Totals } from './totals-schemas.ts';

export const TOTALS_PATH = '/v1/totals';

/** Of requests at once that add so many changes up that they take longer than others. */
const MAX_LONG_READS = 4;

export interface ReadTotalsDependencies {
  reader: TotalsReader;
  statuses: Statuses;
  requestTimeoutMs: number;
  /** Is notified of the number of an account's changes that are not folded. */
  onUnfolded: (account: string, changes: number) => void;
  authenticate: Authenticate<'account'>;
}

export function readTotalsRoute(app: FastifyInstance, dependencies: ReadTotalsDependencies): void {
  const { reader, statuses, requestTimeoutMs, onUnfolded, authenticate } = dependencies;
  const readRequest = totalsRequestReader(statuses);
  // A long read has no time limit, but each of its steps has.
  const timedReader: TotalsReader = {
    readRollUp: (query) => reader.readRollUp(query),
    sumChanges: (...range) => withinTime(reader.sumChanges(...range), requestTimeoutMs),
    hasUnnumbered: (account) => reader.hasUnnumbered(account),
  };
  let longReads = 0;
  const beginLongRead = (reply: FastifyReply, leave: () => void) => {
    const { raw } = reply;
    const { socket } = reply.request.raw;
    if (longReads === MAX_LONG_READS)
      throw unavailable('The service already adds many changes up for other requests.');
    longReads++;
    reply.liftTimeLimit();
    endInFlight(raw);
    // A caller that closes its side is probably gone.
    socket.on('end', leave);
    raw.once('close', () => {
      socket.off('end', leave);
      longReads--;
    });
  };

  app.get<{ Querystring: QueryParameters }>(TOTALS_PATH, {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'readTotals',
      tags: ['transactions'],
      summary: 'Read how many transactions the account has, and their sums',
      description:
        'For each currency and status, and with by=day for each UTC day. The range can have any length: reading takes the same time for ten ' +
        'transactions and for ten million. The totals are exactly those of the transactions that the changes up to asOf make.',
      querystring: readTotalsQuery(statuses),
      response: {
        200: jsonResponse('The totals.', Type.Ref(Totals), TOTALS_EXAMPLES, rateLimitHeaders),
        ...problemResponses([...KEY_PROBLEMS, ...TOTALS_FAULT_CODES], {
          keysAreLimited: true,
          examples: TOTALS_PROBLEM_EXAMPLES,
        }),
      },
    },
    handler: async (request, reply) => {
      const { account } = callerOf(request);
      const faults = new FaultList<TotalsFault>();
      const query = { account, ...readRequest(request.query, faults) };
      refuseFaulty(request.query, faults);
      const leaving = new AbortController();
      const leave = () => leaving.abort();
      reply.raw.once('close', leave);
      const read = readTotals(timedReader, query, {
        signal: leaving.signal,
        onUnfolded: (_account, changes) => {
          request.logFields = { unfolded: changes };
          onUnfolded(account, changes);
          if (changes > MAX_SUMMED) beginLongRead(reply, leave);
        },
      });
      const result = await read.catch((error: unknown) => {
        if (!leaving.signal.aborted) throw error;
      });
      if (result === undefined) {
        // Nobody reads a response.
        reply.raw.destroy();
        return reply.hijack();
      }
      const { totals, asOf } = result;
      request.logFields = { asOf, count: totals.length, ...request.logFields };
      return { data: totals.map(totalBody), asOf };
    },
  });
}

function totalBody({ day, currencyCode, status, count, amountMinor }: SumOfTransactions): TotalBody {
  const sum = { currencyCode, status, count, amount: formatSum(amountMinor) };
  return day === null ? sum : { day: formatDay(day), ...sum };
}
