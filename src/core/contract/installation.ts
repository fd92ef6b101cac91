/** @file Podium as an app of this browser: its installation and its updates. */

/** Offers to install Podium, where the browser allows it. */
export interface AppInstall {
  /** Whether the browser would install Podium now. */
  readonly isOffered: boolean;
  /** Calls the listener when `isOffered` changes. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Shows the browser's own dialog. @returns whether the user agreed. `false` if there is no offer */
  install(): Promise<boolean>;
}

/** Finds newer versions of Podium and switches to them. */
export interface AppUpdates {
  /** Whether a newer version is downloaded and waits to be used. */
  readonly isReady: boolean;
  /** Calls the listener when `isReady` changes. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /**
   * Asks the host for a newer version, and downloads it. Rejects with a `FaultError` if the host can't be reached.
   * @returns `isReady`
   */
  check(): Promise<boolean>;
  /** Resolves when no run and no batch is in progress, in any tab. Rejects on abort. */
  whenIdle(signal: AbortSignal): Promise<void>;
  /** Whether `whenIdle` would resolve at once. */
  isIdle(): Promise<boolean>;
  /** Switches to the newer version and reloads this page. Other tabs keep running with the files of their version. */
  apply(): Promise<void>;
}
