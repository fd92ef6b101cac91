/**
 * @file Pins models to the newest commits of their repositories. For WebLLM models, a pin also has the size
 * and SHA-256 of each file. If no file of a model has changed since the pinned commit, the pin keeps that
 * commit. The address of a cached file contains the commit, so a new commit would make everyone download the
 * same gigabytes again.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ModelRecord } from '@mlc-ai/web-llm';
import * as z from 'zod/mini';
import type { ModelManifest, ModelPin, PinnedFile } from '../../src/core/contract';
import { libraryAt, libraryOnGitHub, weightsBase } from '../../src/platform/engine/webllm/record';

/** The hub's answer about a repository. `lfs` exists only for large files, and has their SHA-256. */
const repository = z.object({
  sha: z.string(),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      lfs: z.optional(z.object({ size: z.int(), sha256: z.string() })),
    }),
  ),
});

/** The hub's answer about a repository of ONNX files. `blobId` is Git's own digest of the file. */
const onnxRepository = z.object({
  sha: z.string(),
  siblings: z.array(z.object({ rfilename: z.string(), blobId: z.string() })),
});

/** The newest commit, in GitHub's answer about a branch. */
const commit = z.object({ sha: z.string() });

/** Files with these names are not part of the model. */
const NO_PART = /^\.|\.md$/;

export type Get = (address: string) => Promise<Response>;

/** Thrown if a server can't be reached, or if the connection breaks. */
class Unreachable extends Error {}

class Refused extends Error {
  readonly status: number;

  constructor(address: string, status: number) {
    super(`${address} answered with status ${status}.`);
    this.status = status;
  }
}

/** The stored pins of WebLLM models. */
interface Pins {
  /** @returns `null` for a model without a pin */
  of(id: string): ModelPin | null;
  keep(id: string, pin: ModelPin): Promise<void>;
}

interface PinningResult {
  /** A line for each part of a model whose pinned commit has changed, with the old and the new commit. */
  readonly moved: readonly string[];
  /** For each model that could not be pinned, a sentence with the reason. */
  readonly problems: readonly string[];
  /**
   * Whether pinning stopped because a server can't be reached. If so, `problems` names the model at which pinning stopped, but
   * none of the models after it.
   */
  readonly isUnreachable: boolean;
}

/** Pins WebLLM models, one after the other. */
export function pinModels(records: readonly ModelRecord[], pins: Pins, get: Get = fetch): Promise<PinningResult> {
  const commitOf = commits(get);
  return pinAll(
    records,
    ({ model_id }) => model_id,
    async (record) => {
      const { model_id: id } = record;
      const old = pins.of(id);
      const pin = await pinModel(record, old, get, commitOf);
      await pins.keep(id, pin);
      return [
        ...moveOf(`${id}, weights`, old?.revision, pin.revision),
        ...moveOf(`${id}, library`, old?.library.revision, pin.library.revision),
      ];
    },
  );
}

/**
 * Pins ONNX models to the newest commits of their repositories. Manifests of other models are skipped. The sizes and digests of
 * ONNX files are not pinned. The old commit stays if the newest commit has the same files with the same Git digests.
 * @param keep stores a manifest with a new commit
 */
export function pinHubModels(
  manifests: readonly ModelManifest[],
  keep: (manifest: ModelManifest) => Promise<void>,
  get: Get = fetch,
): Promise<PinningResult> {
  const onHub = manifests.flatMap((manifest) =>
    manifest.source.kind === 'hub' ? [{ manifest, source: manifest.source }] : [],
  );
  return pinAll(
    onHub,
    ({ source }) => source.id,
    async ({ manifest, source }) => {
      const { revision: old } = source;
      const address = `https://huggingface.co/api/models/${source.id}`;
      const newest = await listOnnx(`${address}?blobs=true`, get);
      if (old === newest.revision) return [];
      const before = old === null ? null : await listOnnx(`${address}/revision/${old}?blobs=true`, get).catch(isGone);
      if (isDeepStrictEqual(before?.blobs, newest.blobs)) return [];
      await keep({ ...manifest, source: { ...source, revision: newest.revision } });
      return moveOf(source.id, old, newest.revision);
    },
  );
}

/** The commit of a repository, and Git's digests of the model's files by path. */
async function listOnnx(address: string, get: Get) {
  const { sha, siblings } = onnxRepository.parse(JSON.parse((await contentOf(address, get)).toString()));
  const parts = siblings.filter(({ rfilename }) => !NO_PART.test(rfilename));
  return { revision: sha, blobs: new Map(parts.map(({ rfilename, blobId }) => [rfilename, blobId])) };
}

/** Returns `null` if the repository no longer has the commit. */
function isGone(thrown: unknown): null {
  if (thrown instanceof Refused && thrown.status === 404) return null;
  throw thrown;
}

/**
 * The line for `moved`, if the commit of a part has changed.
 * @param old `null` or `undefined`: the part had no pin before. A first pin doesn't count as a change
 */
function moveOf(part: string, old: string | null | undefined, revision: string): string[] {
  return old === null || old === undefined || old === revision ? [] : [`${part}: ${old} → ${revision}`];
}

async function pinAll<Model>(
  models: readonly Model[],
  nameOf: (model: Model) => string,
  pin: (model: Model) => Promise<readonly string[]>,
): Promise<PinningResult> {
  const moved: string[] = [];
  const problems: string[] = [];
  for (const model of models) {
    try {
      moved.push(...(await pin(model)));
    } catch (thrown) {
      problems.push(`${nameOf(model)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      // Stops here, because the files of the remaining models are on the same servers.
      if (thrown instanceof Unreachable) return { moved, problems, isUnreachable: true };
    }
  }
  return { moved, problems, isUnreachable: false };
}

/**
 * Pins one WebLLM model. Large files are not downloaded, because the hub's list of files contains their
 * digests. The other files and the library (a few MB) are downloaded if their commits are new. Throws an
 * error if a server can't be reached or answers with an error.
 * @param old the model's current pin. `null`: none
 */
export async function pinModel(
  { model, model_lib }: ModelRecord,
  old: ModelPin | null = null,
  get: Get = fetch,
  commitOf = commits(get),
): Promise<ModelPin> {
  // This request comes first. If it fails, nothing has been downloaded in vain.
  const libraryCommit = await commitOf(model_lib);
  const weights = await pinWeights(model, old, get);
  const oldLibrary = old?.library.url === model_lib ? old.library : null;
  return { ...weights, library: await pinLibrary(model_lib, libraryCommit, oldLibrary, get) };
}

async function pinWeights(
  model: string,
  old: ModelPin | null,
  get: Get,
): Promise<Pick<ModelPin, 'revision' | 'files'>> {
  const { origin, pathname } = new URL(model);
  const description = await contentOf(`${origin}/api/models${pathname}?blobs=true`, get);
  const { sha, siblings } = repository.parse(JSON.parse(description.toString()));
  if (old?.revision === sha) return { revision: sha, files: old.files };
  const files: Record<string, PinnedFile> = {};
  for (const { rfilename, lfs } of siblings) {
    if (NO_PART.test(rfilename)) continue;
    const address = `${weightsBase(model, sha)}${rfilename}`;
    files[rfilename] = lfs ? { bytes: lfs.size, sha256: lfs.sha256 } : measure(await contentOf(address, get));
  }
  return { revision: old && isDeepStrictEqual(files, old.files) ? old.revision : sha, files };
}

async function pinLibrary(
  url: string,
  revision: string,
  old: ModelPin['library'] | null,
  get: Get,
): Promise<ModelPin['library']> {
  if (old?.revision === revision) return old;
  const library = { url, revision, ...measure(await contentOf(libraryAt(url, revision), get)) };
  return old?.sha256 === library.sha256 ? old : library;
}

/**
 * Returns a function that finds the newest commit of a library's branch. The function requests each branch
 * only once, even after an error, because GitHub allows only 60 such requests in an hour.
 */
function commits(get: Get): (library: string) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  const ask = async (address: string) => commit.parse(JSON.parse((await contentOf(address, get)).toString())).sha;
  return async (library) => {
    const parts = libraryOnGitHub(library);
    if (!parts) throw new Error(`${library} is not on GitHub, so it has no commit.`);
    const address = `https://api.github.com/repos/${parts.repository}/commits/${parts.branch}`;
    const sha = known.get(address) ?? ask(address);
    known.set(address, sha);
    return sha;
  };
}

async function contentOf(address: string, get: Get): Promise<Buffer> {
  const unreachable = (thrown: unknown) => {
    throw new Unreachable(`Couldn’t reach ${new URL(address).host}.`, { cause: thrown });
  };
  const response = await get(address).catch(unreachable);
  if (!response.ok) throw new Refused(address, response.status);
  return Buffer.from(await response.arrayBuffer().catch(unreachable));
}

function measure(content: Buffer): PinnedFile {
  return { bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
}
