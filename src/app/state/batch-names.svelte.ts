/** @file The names of batches, for the filters of runs. */
import type { EvaluationServices } from '../services';
import { mapOf } from './replaced';

export class BatchNames {
  #names: ReadonlyMap<string, string> = $state.raw(mapOf());
  readonly #services: EvaluationServices;
  #isRead = false;

  constructor(services: EvaluationServices) {
    this.#services = services;
  }

  /** The name, or the beginning of the id if the name is unknown. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id.slice(0, 8);
  }

  /** Reads the names at the first call. A failure is ignored. */
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
