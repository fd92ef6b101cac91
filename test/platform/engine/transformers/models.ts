/** @file Loads and runs the tiny model of the test server. Each test gives it a new name, so that tests share no cached files. */
import { inject } from 'vitest';
import * as z from 'zod/mini';
import type {
  EngineEvent,
  GenerateRequest,
  LoadProgress,
  LocalEngine,
  ModelManifest,
} from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import {
  createTransformersLoader,
  type TransformersLoaderOptions,
} from '../../../../src/platform/engine/transformers/loader';

export const HOST = inject('modelHost');

/** Describes the software GPU as a real one, so that the loader uses it. */
export const SOFTWARE_GPU = { software: false, half: false };

/** @param kind a behavior of the test server, see `model-server.ts` */
export function manifestOf(kind: string, more: Partial<ModelManifest> = {}): ModelManifest {
  const name = `${kind}-${crypto.randomUUID().slice(0, 8)}`;
  return {
    id: `transformers:tiny/${name}`,
    label: `Tiny ${kind}`,
    engine: 'transformers',
    source: { kind: 'hub', id: `tiny/${name}`, revision: null },
    download: null,
    memory: null,
    context: 8192,
    licence: null,
    why: 'For tests.',
    needs: [],
    prompt: null,
    showWorkers: 'number',
    ...more,
  };
}

export interface Loading {
  readonly progress: readonly LoadProgress[];
  readonly engine: Promise<LocalEngine>;
}

export function load(
  manifest: ModelManifest,
  options: Partial<TransformersLoaderOptions> = {},
  signal: AbortSignal = new AbortController().signal,
  onprogress: (progress: LoadProgress) => void = () => undefined,
): Loading {
  const progress: LoadProgress[] = [];
  const loader = createTransformersLoader({
    clock: systemClock,
    gpu: () => Promise.resolve(null),
    host: HOST,
    ...options,
  });
  const engine = loader.load(
    manifest,
    (event) => {
      progress.push(event);
      onprogress(event);
    },
    signal,
  );
  return { progress, engine };
}

/** Runs `use` with a model, then disposes of the model. */
export async function withModel(
  options: Partial<TransformersLoaderOptions>,
  use: (engine: LocalEngine) => Promise<void>,
): Promise<void> {
  const engine = await load(manifestOf('plain'), options).engine;
  try {
    await use(engine);
  } finally {
    await engine.dispose();
  }
}

export const request = (more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [{ role: 'user', content: 'What is 2 + 2?' }],
  grammar: null,
  temperature: 1,
  maxTokens: 16,
  seed: 1,
  ...more,
});

export interface Written {
  readonly text: string;
  readonly ending: Exclude<EngineEvent, { type: 'delta' }>;
}

export async function write(
  engine: Pick<LocalEngine, 'generate'>,
  requested: GenerateRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Written> {
  let text = '';
  for await (const event of engine.generate(requested, signal)) {
    if (event.type !== 'delta') {
      return { text, ending: event };
    }
    text += event.text;
  }
  throw new Error('The answer has no ending.');
}

/** The requests that the server received for a model, in order. */
export async function requestsFor(manifest: ModelManifest): Promise<readonly string[]> {
  const response = await fetch(`${HOST}control/requests?model=${hubId(manifest)}`);
  return z.array(z.string()).parse(await response.json());
}

/** Lets the download of a model of the kind `slow` continue. */
export async function release(manifest: ModelManifest): Promise<void> {
  await fetch(`${HOST}control/release?model=${hubId(manifest)}`);
}

function hubId({ source }: ModelManifest): string {
  if (source.kind !== 'hub') throw new Error('The model is not on a hub.');
  return source.id;
}
