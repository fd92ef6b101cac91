/** @file Models of the test server. Each test uses its own model, because the browser keeps downloaded files. */
import { inject } from 'vitest';
import * as z from 'zod/mini';
import type { ModelManifest } from '../../../../src/core/contract';

let count = 0;

export interface ServedModel {
  /** The server's behavior and a unique suffix, such as `slow-1795680000000-7`. */
  readonly name: string;
  readonly manifest: ModelManifest;
}

/** @param behaviour how the test server behaves for this model. `mlc-server.ts` lists the behaviors */
export function servedModel(behaviour: string, host = inject('mlcHost')): ServedModel {
  const name = `${behaviour}-${Date.now()}-${++count}`;
  const address = `${host}${name}`;
  return {
    name,
    manifest: manifestOf(name, { kind: 'mlc', weights: address, library: `${address}/library.wasm`, revision: null }),
  };
}

export function folderModel(): ModelManifest {
  const name = `folder-${Date.now()}-${++count}`;
  return manifestOf(name, { kind: 'folder', name });
}

function manifestOf(name: string, source: ModelManifest['source']): ModelManifest {
  return {
    id: `own:${name}`,
    label: 'A test model',
    engine: 'webllm',
    source,
    download: null,
    memory: null,
    context: 1024,
    licence: null,
    why: 'For tests.',
    needs: [],
    prompt: null,
    showWorkers: 'number',
  };
}

/** Returns the requests that the server received for a model, in order. */
export async function requestsFor({ name }: ServedModel): Promise<readonly string[]> {
  const response = await fetch(`${inject('mlcHost')}control/requests?model=${name}`);
  return z.array(z.string()).parse(await response.json());
}
