/** @file Fake sentence models. A test controls their downloads and faults. */
import {
  abortError,
  FaultError,
  type CachedModel,
  type Fault,
  type LoadProgress,
  type QuestionEmbeddings,
  type SentenceModel,
  type SentenceModels,
  type SentenceModelState,
} from '../../src/core/contract';

export function sentenceModel(name: string, more: Partial<SentenceModel> = {}): SentenceModel {
  return {
    id: `sentence:test/${name}`,
    label: name,
    hub: { id: `test/${name}`, revision: null },
    download: 24e6,
    licence: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    why: 'Small, quick, and made for English.',
    ...more,
  };
}

export class ScriptedSentenceModels implements SentenceModels {
  state: SentenceModelState = { kind: 'none' };
  chosen: SentenceModel | null = null;
  chosenFault: Fault | null = null;
  /** Bytes of the shared runtime that still have to be downloaded. */
  runtime = 0;
  listed: readonly SentenceModel[] = [];
  /** The progress at which a download pauses until `stop` is called. `null`: downloads do not pause. */
  held: LoadProgress | null = null;
  /** The fault with which the next load fails. `null`: the load succeeds. */
  fail: Fault | null = null;
  readonly #listeners = new Set<(state: SentenceModelState) => void>();
  readonly #cached: CachedModel[];
  #stop: () => void = () => undefined;

  /** @param cached the list of cached models that the page also reads */
  constructor(cached: CachedModel[] = []) {
    this.#cached = cached;
  }

  subscribe(listener: (state: SentenceModelState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  forget(): void {
    throw new Error('The page must not call this method.');
  }

  list(): Promise<readonly SentenceModel[]> {
    return Promise.resolve(this.listed);
  }

  missing(): Promise<number> {
    return Promise.resolve(this.runtime);
  }

  async use(model: SentenceModel): Promise<void> {
    this.#become({ kind: 'loading', model, progress: null });
    const { held, fail } = this;
    this.fail = null;
    if (held) {
      this.#become({ kind: 'loading', model, progress: held });
      await new Promise<void>((resolve) => (this.#stop = resolve));
      this.#keep(model, false);
      this.#rest();
      throw abortError();
    }
    if (fail) {
      if (this.chosen?.id === model.id) this.chosenFault = fail;
      this.#become({ kind: 'failed', model, fault: fail });
      throw new FaultError(fail);
    }
    this.#keep(model, true);
    this.chosen = model;
    this.chosenFault = null;
    this.#rest();
  }

  stop(): void {
    this.#stop();
  }

  async remove({ id }: SentenceModel): Promise<void> {
    const index = this.#cached.findIndex(({ manifestId }) => manifestId === id);
    if (index !== -1) this.#cached.splice(index, 1);
    if (this.chosen?.id === id) this.chosen = this.chosenFault = null;
    this.#rest();
  }

  embed(): Promise<QuestionEmbeddings | null> {
    return Promise.resolve(null);
  }

  #keep({ id, download }: SentenceModel, complete: boolean): void {
    this.#cached.push({ manifestId: id, bytes: complete ? download : download / 2, total: download, complete });
  }

  #rest(): void {
    const { chosen: model } = this;
    const { chosenFault } = this;
    if (!model) this.#become({ kind: 'none' });
    else this.#become(chosenFault ? { kind: 'failed', model, fault: chosenFault } : { kind: 'ready', model });
  }

  #become(state: SentenceModelState): void {
    this.state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
