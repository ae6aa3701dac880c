import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import type { QueryParameters } from '../../../http/parse-query.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { whileLong } from '../../../http/server/long-request.ts';
import { formatSum } from '../../../values/amount.ts';
import { formatDay } from '../../../values/calendar.ts';
import { FairPlaces } from '../../../values/fair-places.ts';
import { FaultList } from '../../../values/fault-list.ts';
import { withinTime } from '../../../values/time-limit.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import { readTotals } from '../read-totals.ts';
import type { Total as SumOfTransactions, TotalsReader } from '../totals.ts';
import { TOTALS_FAULT_CODES, type TotalsFault, totalsRequestReader } from '../totals-query.ts';
import { TOTALS_EXAMPLES, TOTALS_PROBLEM_EXAMPLES } from './totals-examples.ts';
import { readTotalsQuery, type TotalBody, Totals } from './totals-schemas.ts';

export const TOTALS_PATH = '/v1/totals';

/** For requests that add so many changes up that they take longer than others. Their reads take turns. */
const LONG_READS = 8;

export interface ReadTotalsDependencies {
  reader: TotalsReader;
  statuses: RecognisedStatuses;
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
  };
  const longReads = new FairPlaces(LONG_READS);

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
      await statuses.readFor(request.query['status']);
      const faults = new FaultList<TotalsFault>();
      const query = { account, ...readRequest(request.query, faults) };
      refuseFaulty(request.query, faults);
      const { totals, asOf } = await readTotals(timedReader, query, {
        onUnfolded: (_account, changes) => {
          request.logFields = { unfolded: changes };
          onUnfolded(account, changes);
        },
        runLong: (read) => longReads.run(account, () => whileLong(reply, read)),
      });
      request.logFields = { asOf, count: totals.length, ...request.logFields };
      return { data: totals.map(totalBody), asOf };
    },
  });
}

function totalBody({ day, currencyCode, status, count, amountMinor }: SumOfTransactions): TotalBody {
  const sum = { currencyCode, status, count, amount: formatSum(amountMinor) };
  return day === null ? sum : { day: formatDay(day), ...sum };
}
