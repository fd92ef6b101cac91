/**
 * @file The pin of a prebuilt model: the exact files that Podium expects. `npm run models` writes one pin per model to
 * `models/pins/`.
 */

export interface PinnedFile {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface ModelPin {
  /** The commit of the repository that contains the weights. */
  readonly revision: string;
  /** The files of the weights, keyed by their path in the repository. */
  readonly files: Readonly<Record<string, PinnedFile>>;
  readonly library: PinnedFile & {
    /**
     * Address of the library, from the model list of the installed WebLLM. The file at this address can
     * change.
     */
    readonly url: string;
    /** The commit of the repository that contains the library. */
    readonly revision: string;
  };
}
