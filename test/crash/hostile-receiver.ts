import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import type { Random } from '../rig/run/random.ts';
import { listen, type Receiver, readBody } from '../rig/webhooks/receiver.ts';

const SLOW_MS = 40;
const ENDLESS_CHUNK = 'x'.repeat(1000);

type Respond = (response: ServerResponse) => unknown;

/** Answers by which a change is not accepted. */
const REFUSALS: readonly Respond[] = [
  (response) => response.writeHead(500).end('broken'),
  (response) => response.writeHead(400).end(),
  (response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  (response) => response.writeHead(503, { 'retry-after': 'soon' }).end(),
  (response) => response.writeHead(307, { location: '/redirected' }).end(),
  // It hangs until the sender gives up.
  () => {},
  (response) => (response.socket as Socket).resetAndDestroy(),
  (response) => (response.socket as Socket).end('HTTP/1.1 20'),
];

/** Answers that accept a change, whatever comes after the status. */
const ACCEPTANCES: readonly Respond[] = [
  (response) => response.writeHead(204).end(),
  (response) => delay(SLOW_MS).then(() => response.writeHead(202).end('later')),
  (response) => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('cut', () => response.socket?.end());
  },
  (response) => response.writeHead(201).end(() => response.socket?.resetAndDestroy()),
  (response) => {
    const writeMore = () => {
      while (!response.destroyed && response.write(ENDLESS_CHUNK));
    };
    response.writeHead(200).on('drain', writeMore);
    writeMore();
  },
];

/** What arrived of one endpoint. */
export class Arrivals {
  readonly endpoint: WebhookEndpoint;
  /** The changes that the receiver accepted. */
  readonly accepted = new Set<number>();
  /** By sequence number. */
  readonly sent = new Map<number, { id: string; body: string }>();
  count = 0;

  constructor(endpoint: WebhookEndpoint) {
    this.endpoint = endpoint;
  }
}

/**
 * A receiver of several endpoints that answers well or in any wrong way, by chance. It checks each delivery: its signature, that its id and
 * body are those of its change for ever, and that nothing passes a change of an ordered endpoint.
 */
export class HostileReceiver {
  readonly #random: Random;
  readonly #arrivals = new Map<string, Arrivals>();
  /** The change of each id. */
  readonly #changes = new Map<string, string>();
  readonly violations: string[] = [];
  #receiver: Omit<Receiver, 'received'> | undefined;
  #port = 0;
  /** How many deliveries in a hundred it does not accept as it should. */
  hostility = 0;
  count = 0;
  onArrival = () => {};

  constructor(random: Random) {
    this.#random = random;
  }

  /** Listens, after an outage on the same port. */
  async open(): Promise<void> {
    const server = createServer(async (request, response) => {
      const body = await readBody(request);
      if (body === null) return;
      const arrivals = this.#arrivals.get(request.url ?? '');
      if (arrivals === undefined) this.violations.push(`a request to ${request.url}, which no endpoint has`);
      else this.#take(arrivals, request.headers as Record<string, string>, body, response);
    });
    this.#receiver ??= await listen(server, { port: this.#port });
    this.#port = this.#receiver.port;
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
    this.#receiver = undefined;
  }

  /** The URL of an endpoint with a name. */
  urlOf(name: string): string {
    return `http://127.0.0.1:${this.#port}/${name}`;
  }

  add(endpoint: WebhookEndpoint): Arrivals {
    const arrivals = new Arrivals(endpoint);
    this.#arrivals.set(new URL(endpoint.url).pathname, arrivals);
    return arrivals;
  }

  #take(arrivals: Arrivals, headers: Record<string, string>, body: string, response: ServerResponse): void {
    const { endpoint, sent, accepted } = arrivals;
    arrivals.count++;
    this.count++;
    try {
      new Webhook(endpoint.secret).verify(body, headers);
    } catch (error) {
      this.violations.push(`${endpoint.url}: ${error}`);
    }
    const { type, data } = JSON.parse(body) as { type: string; data: { sequence: number } };
    const { sequence } = data;
    const id = headers['webhook-id'] ?? '';
    const before = sent.get(sequence);
    if (before !== undefined && (before.id !== id || before.body !== body))
      this.violations.push(`${endpoint.url}: ${sequence} was ${before.id} ${before.body}, now ${id} ${body}`);
    sent.set(sequence, { id, body });
    const change = `${endpoint.account} ${sequence} ${type}`;
    if ((this.#changes.get(id) ?? change) !== change)
      this.violations.push(`${id} is ${change} and ${this.#changes.get(id)}`);
    this.#changes.set(id, change);
    if (endpoint.ordered && sequence > 1 && !accepted.has(sequence - 1))
      this.violations.push(`${endpoint.url}: ${sequence} came before ${sequence - 1} was accepted`);
    const isAccepted = this.#random.integer(1, 100) > this.hostility;
    if (isAccepted) accepted.add(sequence);
    const [ordinary] = ACCEPTANCES as [Respond];
    if (this.hostility === 0) ordinary(response);
    else this.#random.pick(isAccepted ? ACCEPTANCES : REFUSALS)(response);
    this.onArrival();
  }
}
