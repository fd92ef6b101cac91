/** @file Loads the tiny sentence model of the test server. Each test has its own model id, so tests share no cached files. */
import { inject } from 'vitest';
import * as z from 'zod/mini';
import type { LoadProgress, SentenceModel } from '../../../../src/core/contract';
import { systemClock } from '../../../../src/platform/clock';
import {
  createSentenceLoader,
  type SentenceEngine,
  type SentenceLoaderOptions,
} from '../../../../src/platform/engine/sentence/loader';

export const HOST = inject('modelHost');
export const WEIGHTS = 'onnx/model_quantized.onnx';

/** @param kind how the test server behaves for this model. `model-server.ts` lists the behaviors */
export function modelOf(kind: string): SentenceModel {
  const id = `sentence/${kind}-${crypto.randomUUID().slice(0, 8)}`;
  return {
    id: `sentence:${id}`,
    label: `Tiny ${kind}`,
    hub: { id, revision: null },
    download: 110_000,
    licence: null,
    why: 'For tests.',
  };
}

export interface Loading {
  readonly progress: readonly LoadProgress[];
  readonly engine: Promise<SentenceEngine>;
}

export interface LoadOptions extends Partial<SentenceLoaderOptions> {
  readonly fetches?: boolean;
  readonly signal?: AbortSignal;
}

export function load(
  model: SentenceModel,
  { fetches = true, signal = new AbortController().signal, ...options }: LoadOptions = {},
): Loading {
  const progress: LoadProgress[] = [];
  const loader = createSentenceLoader({ clock: systemClock, host: HOST, ...options });
  return { progress, engine: loader.load(model, fetches, (event) => progress.push(event), signal) };
}

/** Returns the requests that the server received for a model, in order. */
export async function requestsFor({ hub }: SentenceModel): Promise<readonly string[]> {
  const response = await fetch(`${HOST}control/requests?model=${hub.id}`);
  return z.array(z.string()).parse(await response.json());
}

/** Lets the download of a slow model continue. */
export async function release({ hub }: SentenceModel): Promise<void> {
  await fetch(`${HOST}control/release?model=${hub.id}`);
}

/** URL of a file, which is also its key in the cache. */
export const addressOf = ({ hub }: SentenceModel, path: string): string => `${HOST}${hub.id}/resolve/main/${path}`;
