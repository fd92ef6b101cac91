/** @file Loads the names of batches, to show them in the filters of runs. */
import type { EvaluationServices } from '../services';
import { mapOf } from './replaced';

export class BatchNames {
  #names: ReadonlyMap<string, string> = $state.raw(mapOf());
  readonly #services: EvaluationServices;
  #isRead = false;

  constructor(services: EvaluationServices) {
    this.#services = services;
  }

  /** The name of a batch, or the beginning of its id if the name is unknown. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id.slice(0, 8);
  }

  /** Loads the names on the first call. Failures are ignored. */
  read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    void this.#services
      .evaluation()
      .then(({ batches }) => batches.list())
      .then(
        (batches) => void (this.#names = mapOf(batches.map(({ id, name }) => [id, name] as const))),
        () => undefined,
      );
  }
}
