import { Agent, get } from 'node:http';

/** Sends requests one after the other over one connection, as one caller does. */
export class SequentialClient {
  readonly #url: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Sends a request, and returns the time up to the end of its response, in milliseconds. */
  time(path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const startedAtMs = performance.now();
      const headers = { authorization: `Bearer ${this.#key}` };
      get(`${this.#url}${path}`, { agent: this.#agent, headers }, (response) => {
        response.resume().once('error', reject);
        response.once('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - startedAtMs);
          else reject(new Error(`${path}: ${response.statusCode}`));
        });
      }).once('error', reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
