/** @file Types for installing Podium as an app and for updating it. */

/** Installs Podium as an app, if the browser supports this. */
export interface AppInstall {
  /** Whether the browser would install Podium now. */
  readonly isOffered: boolean;
  /** Calls the listener when `isOffered` changes. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Shows the browser's own dialog. @returns whether the user agreed. `false` if `isOffered` is false */
  install(): Promise<boolean>;
}

/** Finds newer versions of Podium and switches to them. */
export interface AppUpdates {
  /** Whether a newer version is downloaded but not yet in use. */
  readonly isReady: boolean;
  /** Calls the listener when `isReady` changes. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /**
   * Downloads a newer version if the host has one. Rejects with a `FaultError` if the host can't be reached.
   * @returns `isReady`
   */
  check(): Promise<boolean>;
  /** Resolves when no run and no batch is in progress, in any tab. Rejects on abort. */
  whenIdle(signal: AbortSignal): Promise<void>;
  /** Whether `whenIdle` would resolve at once. */
  isIdle(): Promise<boolean>;
  /** Switches to the newer version and reloads this page. Other tabs keep running their version. */
  apply(): Promise<void>;
}
