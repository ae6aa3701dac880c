import { KitTrials } from './kit-trials.ts';
import { type PlantedFault, testOf } from './planted-faults.ts';
import { ProjectCopy, type Trial } from './project-copy.ts';

/** Plants faults one after the other, for the kit or for a test file. */
export class FaultTrials {
  readonly #kit = new KitTrials();
  #copy: ProjectCopy | undefined;

  plant(fault: PlantedFault): Promise<Trial> {
    return fault.checks.length > 0 ? this.#kit.plant(fault) : this.#project().plant(fault);
  }

  /** Why the test of a fault fails without it; undefined if it passes. The kit passes the service: a test of its own runs it. */
  async whyFailing(fault: PlantedFault): Promise<string | undefined> {
    if (fault.checks.length > 0) return undefined;
    const { isPassed, output } = await this.#project().passes(testOf(fault));
    return isPassed ? undefined : output;
  }

  remove(): void {
    this.#copy?.remove();
    this.#kit.remove();
  }

  #project(): ProjectCopy {
    this.#copy ??= new ProjectCopy();
    return this.#copy;
  }
}
