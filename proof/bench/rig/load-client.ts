import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const { url, requests, connections, seconds } = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'));

// All connections share `next`, so that together they send every request.
let next = 0;
const result = await autocannon({
  url,
  connections,
  // A short run may end before any response arrives, so each connection sends a fixed number of requests.
  ...(seconds < 1 ? { amount: 4 * connections, sampleInt: 50 } : { duration: seconds }),
  timeout: 60,
  requests: [
    {
      method: 'GET',
      setupRequest: (request) => ({ ...request, ...requests[next++ % requests.length] }),
    },
  ],
});
process.stdout.write(
  JSON.stringify({
    answered: result['2xx'],
    non2xx: result.non2xx + result.errors + result.timeouts,
    perSecond: result['2xx'] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }),
);
