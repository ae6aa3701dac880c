import type { Logger } from 'pino';

interface Part {
  name: string;
  stop: () => unknown;
}

/** The parts that a process has started. They stop in the reverse order, even if one fails. */
export class StartedParts {
  readonly #logger: Pick<Logger, 'error'>;
  readonly #stages: Part[][] = [[]];

  constructor(logger: Pick<Logger, 'error'>) {
    this.#logger = logger;
  }

  /** Call when a part has started. */
  add(name: string, stop: () => unknown): void {
    this.#stages[0]?.unshift({ name, stop });
  }

  /**
   * Begins a stage. Its parts need those of earlier stages, which stop after all of its parts have stopped.
   * The parts of one stage stop at once.
   */
  nextStage(): void {
    this.#stages.unshift([]);
  }

  /** Stops all parts, and logs each that fails. Returns their errors. */
  async stop(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const stage of this.#stages.splice(0))
      await Promise.all(
        stage.map(async ({ name, stop }) => {
          try {
            await stop();
          } catch (error) {
            this.#logger.error({ err: error, part: name }, 'a part of the service failed to stop');
            errors.push(error);
          }
        }),
      );
    return errors;
  }
}

/**
 * Runs work that starts parts, and then stops them, also if the work fails.
 *
 * Throws: the error of the work, or else that of the first part that failed to stop.
 */
export async function runParts(
  logger: Pick<Logger, 'error'>,
  work: (parts: StartedParts) => Promise<void>,
): Promise<void> {
  const parts = new StartedParts(logger);
  try {
    await work(parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
  const errors = await parts.stop();
  if (errors.length > 0) throw errors[0];
}
