/** @file The data of a plot of the runs that match a filter. The Web Worker with the run index computes the data. */
import { readFigure, type FigureData, type FigureName } from '../../core/analysis/figures';
import type { Figure } from '../../core/analysis/figures/figure';
import { isAbort, toFault, type Fault, type RunFilter, type RunIndex } from '../../core/contract';

export class FigureView<Name extends FigureName> {
  readonly name: Name;
  /** The newest computed data. `null`: none yet. */
  figure: Figure<FigureData[Name]> | null = $state.raw(null);
  /** The filter that `figure` was computed for. */
  filter: RunFilter | null = $state.raw(null);
  fault: Fault | null = $state.raw(null);
  readonly #index: Pick<RunIndex, 'figures'>;
  #running = new AbortController();

  constructor(name: Name, index: Pick<RunIndex, 'figures'>) {
    this.name = name;
    this.#index = index;
  }

  /** Computes the data. Cancels an earlier computation that has not finished. */
  async load(filter: RunFilter): Promise<void> {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    try {
      const found = await this.#index.figures(this.name, filter, signal);
      if (signal.aborted) return;
      this.figure = readFigure(this.name, found);
      this.filter = filter;
      this.fault = null;
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return;
      this.fault = toFault(thrown);
    }
  }

  close(): void {
    this.#running.abort();
  }
}
