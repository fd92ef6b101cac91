/** @file Reads whether a sentence model (a model that computes embeddings) is in use. Search by meaning needs such a model. */
import type { StorageServices } from '../services';

export class SentenceModelInUse {
  /** `null` until the preferences are read. */
  isInUse: boolean | null = $state(null);

  /** Reads the preferences only once, because the sentence model changes only on the page *Models*. */
  constructor({ preferences }: Pick<StorageServices, 'preferences'>) {
    preferences.read().then(
      ({ sentenceModel }) => (this.isInUse = sentenceModel !== null),
      () => (this.isInUse = false),
    );
  }
}
