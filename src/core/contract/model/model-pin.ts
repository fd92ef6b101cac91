/**
 * @file The pin of a prebuilt model: the exact files that Podium expects. `npm run models` writes one file for each
 * model to `models/pins/`.
 */

export interface PinnedFile {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface ModelPin {
  /** The commit of the weights' repository. */
  readonly revision: string;
  /** The files of the weights, by their path in the repository. */
  readonly files: Readonly<Record<string, PinnedFile>>;
  readonly library: PinnedFile & {
    /** The address that the installed WebLLM lists for the model. The file at this address can change. */
    readonly url: string;
    /** The commit of the library's repository. */
    readonly revision: string;
  };
}
