/**
 * @file Loads a sentence model into its own Web Worker and waits until the model is ready.
 * Terminating the Web Worker stops a download. Completely downloaded files stay stored, so the next
 * load downloads only the missing files.
 */
import {
  abortError,
  FaultError,
  isUnitVector,
  unlessAborted,
  type Clock,
  type Fault,
  type LoadProgress,
  type SentenceModel,
} from '../../../core/contract';
import { startWorker } from '../../start-worker';
import type { LinkedWorker } from '../../worker-link';
import { ModelLink } from '../model-link';
import type { Named } from '../engine-faults';
import { HUB_HOST } from '../transformers/hub-address';
import { openRuntime, RUNTIME_BYTES } from '../transformers/runtime-file';
import { ENGINE_PATIENCE, type EnginePatience } from '../watchdog';
import { placelessFault } from './sentence-faults';
import { namedOf, readReport, type Command, type EmbedReport, type LoadCommand } from './messages';
import program from './worker?worker&url';

/** A loaded sentence model. Call `dispose` to free its memory. */
export interface SentenceEngine {
  /** Resolves with the fault if the Web Worker is lost. Never resolves if the engine is disposed of before that. */
  readonly lost: Promise<Fault>;
  /**
   * Computes one vector for each text, in the order of the texts. All vectors have the same number
   * of dimensions and unit length. Throws a `FaultError` or an `AbortError`.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
  dispose(): void;
}

export interface SentenceLoader {
  /**
   * Bytes of the ONNX runtime that must still be downloaded. 0: the runtime is already on this
   * machine. All models share the runtime.
   */
  missing(): Promise<number>;
  /**
   * Loads a model. Throws a `FaultError` or an `AbortError`.
   * @param fetches whether missing files may be downloaded. If not, a missing file is a fault
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
  /** Awaited before the Web Worker's script is loaded. */
  readonly ready?: () => Promise<void>;
  /** Base URL of the hub, with a slash at the end. Default: Hugging Face. */
  readonly host?: string;
  readonly patience?: EnginePatience;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => LinkedWorker;
}

export function createSentenceLoader(options: SentenceLoaderOptions): SentenceLoader {
  const {
    clock,
    ready,
    host = HUB_HOST,
    patience = ENGINE_PATIENCE,
    createWorker = () => startWorker(program),
  } = options;
  return {
    missing: async () => ((await openRuntime()) ? 0 : RUNTIME_BYTES),
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
      return engineOver(link, namedOf(command));
    },
  };
}

function engineOver(link: ModelLink<Command, EmbedReport>, named: Named): SentenceEngine {
  return {
    lost: link.lost,
    async embed(texts, signal) {
      if (texts.length === 0) return [];
      for await (const { size, numbers } of link.call({ type: 'embed', texts: [...texts] }, signal)) {
        const vectors = texts.map((_, place) => numbers.slice(place * size, (place + 1) * size));
        if (!vectors.every(isUnitVector)) throw new FaultError(placelessFault(named));
        return vectors;
      }
      throw new Error('The sentence model returned nothing.');
    },
    dispose: () => link.close(),
  };
}
