import type { Logger } from 'pino';

interface Component {
  name: string;
  stop: () => unknown;
}

/** Components stop in reverse order, even if one fails to stop. */
export class StartedComponents {
  readonly #logger: Pick<Logger, 'error'>;
  readonly #stages: Component[][] = [[]];

  constructor(logger: Pick<Logger, 'error'>) {
    this.#logger = logger;
  }

  add(name: string, stop: () => unknown): void {
    this.#stages[0]?.unshift({ name, stop });
  }

  /**
   * The components of a stage need the components of earlier stages. They stop together, before the earlier
   * stages.
   */
  nextStage(): void {
    this.#stages.unshift([]);
  }

  async stop(): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const stage of this.#stages.splice(0))
      await Promise.all(
        stage.map(async ({ name, stop }) => {
          try {
            await stop();
          } catch (error) {
            this.#logger.error({ err: error, component: name }, 'a component of the service failed to stop');
            errors.push(error);
          }
        }),
      );
    return errors;
  }
}

/** Throws: the error of the work, or else the error of the first component that failed to stop. */
export async function runComponents(
  logger: Pick<Logger, 'error'>,
  work: (components: StartedComponents) => Promise<void>,
): Promise<void> {
  const components = new StartedComponents(logger);
  try {
    await work(components);
  } catch (error) {
    await components.stop();
    throw error;
  }
  const errors = await components.stop();
  if (errors.length > 0) throw errors[0];
}
