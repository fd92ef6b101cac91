/**
 * @file Loads a sentence model into a worker of its own and waits until it can be asked. To stop a download is to end the
 * worker; the files that were whole by then stay, and the next load goes on from there.
 */
import {
  abortError,
  unlessAborted,
  type Clock,
  type Fault,
  type LoadProgress,
  type SentenceModel,
} from '../../../core/contract';
import { ModelLink, type ModelWorker } from '../model-link';
import { HUB_HOST } from '../transformers/hub-address';
import { ENGINE_PATIENCE, type EnginePatience } from '../watchdog';
import { namedOf, readReport, type Command, type EmbedReport, type LoadCommand } from './messages';

/** A sentence model that is loaded and holds memory until it is disposed of. */
export interface SentenceEngine {
  /** Resolves with why, if the worker is lost; never if it was disposed of. */
  readonly lost: Promise<Fault>;
  /** Vectors of one size and of length 1, in the order of the texts. Throws a `FaultError` or an `AbortError`. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  dispose(): void;
}

export interface SentenceLoader {
  /**
   * Throws a `FaultError` with a sentence, or an `AbortError`.
   * @param fetches whether what is not on this machine may be fetched
   */
  load(
    model: SentenceModel,
    fetches: boolean,
    onprogress: (progress: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<SentenceEngine>;
}

export interface SentenceLoaderOptions {
  readonly clock: Clock;
  /** Waited for before the worker's program is loaded. */
  readonly ready?: () => Promise<void>;
  /** Ends with a slash. Default: Hugging Face. */
  readonly host?: string;
  readonly patience?: EnginePatience;
  /** For tests that need a hand on the worker. */
  readonly createWorker?: () => ModelWorker<Command>;
}

export function createSentenceLoader(options: SentenceLoaderOptions): SentenceLoader {
  const { clock, ready, host = HUB_HOST, patience = ENGINE_PATIENCE, createWorker = startWorker } = options;
  return {
    async load({ id, label, hub }, fetches, onprogress, signal) {
      if (ready) await unlessAborted(ready(), signal);
      if (signal.aborted) throw abortError();
      const source = { host: hub.host ?? host, id: hub.id, revision: hub.revision };
      const command: LoadCommand = { type: 'load', manifestId: id, label, source, fetches };
      const link = new ModelLink<Command, EmbedReport>({
        worker: createWorker(),
        read: readReport,
        named: namedOf(command),
        clock,
        patience,
      });
      await link.load(command, onprogress, signal);
      return engineOver(link);
    },
  };
}

function startWorker(): ModelWorker<Command> {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}

function engineOver(link: ModelLink<Command, EmbedReport>): SentenceEngine {
  let calls = 0;
  return {
    lost: link.lost,
    async embed(texts, signal) {
      if (texts.length === 0) return [];
      for await (const { size, numbers } of link.call({ type: 'embed', call: calls++, texts: [...texts] }, signal)) {
        return texts.map((_, place) => numbers.slice(place * size, (place + 1) * size));
      }
      throw new Error('The sentence model said nothing.');
    },
    dispose: () => link.close(),
  };
}
