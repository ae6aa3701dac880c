import type { Logger } from 'pino';

interface Component {
  name: string;
  stop: () => unknown;
}

export interface StartedComponents {
  add(name: string, stop: () => unknown): void;
  nextStage(): void;
}

/** After `work`, stops the stages in reverse order, whatever fails. If `work` fails, throws its error. */
export async function runComponents(
  logger: Pick<Logger, 'error'>,
  work: (components: StartedComponents) => Promise<void>,
): Promise<void> {
  const stages: Component[][] = [[]];
  const errors: unknown[] = [];
  const stopOne = async ({ name, stop }: Component) => {
    try {
      await stop();
    } catch (error) {
      logger.error({ err: error, component: name }, 'a component of the service failed to stop');
      errors.push(error);
    }
  };
  try {
    await work({
      add: (name, stop) => stages[0]?.unshift({ name, stop }),
      nextStage: () => stages.unshift([]),
    });
  } finally {
    for (const stage of stages) await Promise.all(stage.map(stopOne));
  }
  if (errors.length > 0) throw errors[0];
}
