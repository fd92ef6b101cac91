/** @file The addresses of a WebLLM model's files, and the record that registers the model with WebLLM. */
import type { ModelRecord } from '@mlc-ai/web-llm';
import { fault, FaultError, sha256Hex, type ModelManifest } from '../../../core/contract';

/**
 * The address under which WebLLM looks for a model's files. WebLLM treats every address as an address on a hub, and adds
 * `resolve/main/` if the address has no revision. The result ends with a slash.
 */
export function cacheBase(address: string): string {
  const slashed = address.endsWith('/') ? address : `${address}/`;
  return new URL(/^.+\/resolve\/.+\//.test(slashed) ? slashed : `${slashed}resolve/main/`).href;
}

/**
 * The address from which the weights are downloaded, with a slash at the end. On a hub, the address contains the revision. If
 * the revision is a commit, later downloads get the same files as the first. An address on a plain server without revisions
 * does not change.
 */
export function weightsBase(address: string, revision: string | null): string {
  const plain = address.replace(/(?:\/(?:resolve|tree)\/[^/]+)?(?<!\/)\/*$/, '');
  if (revision !== null) return `${plain}/resolve/${encodeURIComponent(revision)}/`;
  const pinned = /\/(?:resolve|tree)\/([^/]+)\/*$/.exec(address)?.[1];
  if (pinned !== undefined) return `${plain}/resolve/${pinned}/`;
  return new URL(address).hostname === 'huggingface.co'
    ? `${plain}/resolve/main/`
    : `${address.replace(/(?<!\/)\/+$/, '')}/`;
}

/**
 * The address that stands for a folder that the user picked. No server has a name that ends with `.invalid`,
 * so WebLLM can find the files only in the cache.
 */
export function folderBase(manifestId: string): string {
  return `https://folder.invalid/${encodeURIComponent(manifestId)}/resolve/local/`;
}

/**
 * The address under which WebLLM looks for a model's library (its compiled code). WebLLM doesn't cache addresses that contain
 * "localhost", so a library at such an address gets an invented address.
 */
function libraryBase(address: string): string {
  if (!address.includes('localhost')) return address;
  return `https://library.invalid/${sha256Hex(address)}.wasm`;
}

const ON_GITHUB = /^https:\/\/raw\.githubusercontent\.com\/(?<repository>[^/]+\/[^/]+)\/(?<branch>[^/]+)\/(?<path>.+)$/;

/** The parts of a library's address on GitHub. `null` for any other address. */
export function libraryOnGitHub(
  address: string,
): { readonly repository: string; readonly branch: string; readonly path: string } | null {
  const { repository, branch, path } = ON_GITHUB.exec(address)?.groups ?? {};
  return repository === undefined || branch === undefined || path === undefined ? null : { repository, branch, path };
}

/** The address of a library at a commit. An address outside GitHub is returned unchanged. */
export function libraryAt(address: string, revision: string): string {
  const parts = libraryOnGitHub(address);
  return parts ? `https://raw.githubusercontent.com/${parts.repository}/${revision}/${parts.path}` : address;
}

/** Name of the library in the cache, for a model from a folder. */
export const FOLDER_LIBRARY = 'library.wasm';

export interface RecordParts {
  /** Address of the library, for a model from a folder. Ignored for other models. Default: the folder's own library. */
  readonly library?: string;
  /** The commit of a prebuilt model's weights. Absent or `null`: the newest commit. */
  readonly revision?: string | null;
}

/**
 * The record that registers a model with WebLLM. Throws a `FaultError` for a model that is not for WebLLM. The record has no
 * digests, because Podium verifies the files before WebLLM starts.
 * @param list WebLLM's own list of models
 */
export function modelRecord(
  manifest: ModelManifest,
  list: readonly ModelRecord[],
  { library = `${folderBase(manifest.id)}${FOLDER_LIBRARY}`, revision = null }: RecordParts = {},
): ModelRecord {
  const { id, source, context, label } = manifest;
  const overrides = { context_window_size: context };
  switch (source.kind) {
    case 'prebuilt': {
      const record = list.find(({ model_id }) => model_id === source.id);
      if (record) {
        const model = cacheBase(weightsBase(record.model, revision));
        return { ...record, model, overrides: { ...record.overrides, ...overrides } };
      }
      const message = `This version of WebLLM doesn’t support ${label}. Choose another model.`;
      throw new FaultError(fault('not-found', message));
    }
    case 'mlc': {
      const model = cacheBase(weightsBase(source.weights, source.revision));
      return { model_id: id, model, model_lib: libraryBase(source.library), overrides };
    }
    case 'folder':
      return { model_id: id, model: folderBase(id), model_lib: library, overrides };
    case 'hub': {
      const message = `${label} is a model for transformers.js. Load it with transformers.js, or enter the address of weights in MLC form.`;
      throw new FaultError(fault('bad-request', message));
    }
    default:
      return source satisfies never;
  }
}
