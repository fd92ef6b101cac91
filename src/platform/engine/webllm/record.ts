/**
 * @file Where the files of a model for WebLLM are, and the record that tells WebLLM of it.
 */
import type { ModelRecord } from '@mlc-ai/web-llm';
import { fault, FaultError, type ModelManifest } from '../../../core/contract';

/**
 * The address under which WebLLM looks for a model's files: it reads every model's address as one of a hub, and adds
 * `resolve/main/` where no revision stands in it. Ends with a slash.
 */
export function cacheBase(address: string): string {
  const slashed = address.endsWith('/') ? address : `${address}/`;
  return new URL(/.+\/resolve\/.+\//.test(slashed) ? slashed : `${slashed}resolve/main/`).href;
}

/**
 * The address from which the weights are fetched. Ends with a slash. On a hub the revision stands in it, so that what is
 * fetched later is what was fetched first; a plain server that has none is asked as it was given.
 */
export function weightsBase(address: string, revision: string | null): string {
  const plain = address.replace(/\/(?:(?:resolve|tree)\/[^/]+)?\/*$/, '');
  if (revision !== null) return `${plain}/resolve/${encodeURIComponent(revision)}/`;
  const pinned = /\/(?:resolve|tree)\/([^/]+)\/*$/.exec(address)?.[1];
  if (pinned !== undefined) return `${plain}/resolve/${pinned}/`;
  return new URL(address).hostname === 'huggingface.co' ? `${plain}/resolve/main/` : `${address.replace(/\/+$/, '')}/`;
}

/** Stands for a folder that the user picked. `.invalid` can never be anyone's address, so its files come from the cache or not at all. */
export function folderBase(manifestId: string): string {
  return `https://folder.invalid/${encodeURIComponent(manifestId)}/resolve/local/`;
}

/** What the library of a folder is called in the cache, whatever its file is called. */
export const FOLDER_LIBRARY = 'library.wasm';

/**
 * What WebLLM is told of a model. Throws a `FaultError` for a model that is not one of WebLLM's.
 * @param list WebLLM's own
 * @param library where the library of a folder's model is; other models say it themselves
 */
export function modelRecord(
  manifest: ModelManifest,
  list: readonly ModelRecord[],
  library = `${folderBase(manifest.id)}${FOLDER_LIBRARY}`,
): ModelRecord {
  const { id, source, context, label } = manifest;
  const overrides = { context_window_size: context };
  switch (source.kind) {
    case 'prebuilt': {
      const record = list.find(({ model_id }) => model_id === source.id);
      if (record) return { ...record, overrides: { ...record.overrides, ...overrides } };
      const message = `WebLLM does not know ${label} in this version. Choose another model.`;
      throw new FaultError(fault('not-found', message));
    }
    case 'mlc': {
      const { config, library: model_lib, tokenizer } = source.integrity ?? {};
      const integrity = {
        ...(config === undefined ? {} : { config }),
        ...(model_lib === undefined ? {} : { model_lib }),
        ...(tokenizer === undefined ? {} : { tokenizer }),
      };
      const model = cacheBase(weightsBase(source.weights, source.revision));
      return { model_id: id, model, model_lib: source.library, overrides, integrity };
    }
    case 'folder':
      return { model_id: id, model: folderBase(id), model_lib: library, overrides };
    case 'hub': {
      const message = `${label} is a model for transformers.js. Load it as one, or give the address of weights in MLC form.`;
      throw new FaultError(fault('bad-request', message));
    }
    default:
      return source satisfies never;
  }
}
