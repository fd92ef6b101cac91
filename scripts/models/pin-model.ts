/** @file Pins a prebuilt model: finds the newest commit of its weights, and the size and SHA-256 of each file. */
import { createHash } from 'node:crypto';
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

/** The newest commit, in GitHub's answer about a branch or the hub's answer about a repository. */
const commit = z.object({ sha: z.string() });

/** Names of files in a repository that are not part of the model. */
const NO_PART = /^\.|\.md$/;

export type Get = (address: string) => Promise<Response>;

/** A server can't be reached, or the connection breaks. */
class Unreachable extends Error {}

interface PinningResult {
  /** Sentences that name each model without a new pin, and the reason. */
  readonly problems: readonly string[];
  /**
   * Whether pinning stopped because a server can't be reached. The remaining models are not pinned, and `problems` does not name
   * them.
   */
  readonly isUnreachable: boolean;
}

/** Pins one WebLLM model after the other. @param keep stores a pin */
export function pinModels(
  records: readonly ModelRecord[],
  keep: (id: string, pin: ModelPin) => Promise<void>,
  get: Get = fetch,
): Promise<PinningResult> {
  const commitOf = commits(get);
  return pinAll(
    records,
    ({ model_id }) => model_id,
    async (record) => keep(record.model_id, await pinModel(record, get, commitOf)),
  );
}

/**
 * Pins ONNX models to the newest commits of their repositories. Manifests of other models are skipped. The sizes and digests of
 * ONNX files are not pinned.
 * @param keep stores a manifest with its commit
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
      const description = await contentOf(`https://huggingface.co/api/models/${source.id}`, get);
      const { sha } = commit.parse(JSON.parse(description.toString()));
      await keep({ ...manifest, source: { ...source, revision: sha } });
    },
  );
}

async function pinAll<Model>(
  models: readonly Model[],
  nameOf: (model: Model) => string,
  pin: (model: Model) => Promise<void>,
): Promise<PinningResult> {
  const problems: string[] = [];
  for (const model of models) {
    try {
      await pin(model);
    } catch (thrown) {
      problems.push(`${nameOf(model)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      // Stops here, because the files of the remaining models are on the same servers.
      if (thrown instanceof Unreachable) return { problems, isUnreachable: true };
    }
  }
  return { problems, isUnreachable: false };
}

/**
 * Reads the hub's list of files, and downloads the small files and the library (some MB). Throws an error if a server can't be
 * reached or answers with an error.
 */
export async function pinModel(
  { model, model_lib }: ModelRecord,
  get: Get = fetch,
  commitOf = commits(get),
): Promise<ModelPin> {
  const { origin, pathname } = new URL(model);
  const description = await contentOf(`${origin}/api/models${pathname}?blobs=true`, get);
  const { sha, siblings } = repository.parse(JSON.parse(description.toString()));
  const files: Record<string, PinnedFile> = {};
  for (const { rfilename, lfs } of siblings) {
    if (NO_PART.test(rfilename)) continue;
    const address = `${weightsBase(model, sha)}${rfilename}`;
    files[rfilename] = lfs ? { bytes: lfs.size, sha256: lfs.sha256 } : measure(await contentOf(address, get));
  }
  const revision = await commitOf(model_lib);
  const content = await contentOf(libraryAt(model_lib, revision), get);
  return { revision: sha, files, library: { url: model_lib, revision, ...measure(content) } };
}

/**
 * Returns a function that finds the newest commit of a library's branch. It asks GitHub once for each branch, because GitHub
 * answers only 60 such requests in an hour.
 */
function commits(get: Get): (library: string) => Promise<string> {
  const known = new Map<string, string>();
  return async (library) => {
    const parts = libraryOnGitHub(library);
    if (!parts) throw new Error(`${library} is not on GitHub, so it has no commit.`);
    const address = `https://api.github.com/repos/${parts.repository}/commits/${parts.branch}`;
    const sha = known.get(address) ?? commit.parse(JSON.parse((await contentOf(address, get)).toString())).sha;
    known.set(address, sha);
    return sha;
  };
}

async function contentOf(address: string, get: Get): Promise<Buffer> {
  const unreachable = (thrown: unknown) => {
    throw new Unreachable(`Couldn’t reach ${new URL(address).host}.`, { cause: thrown });
  };
  const response = await get(address).catch(unreachable);
  if (!response.ok) throw new Error(`${address} answered with status ${response.status}.`);
  return Buffer.from(await response.arrayBuffer().catch(unreachable));
}

function measure(content: Buffer): PinnedFile {
  return { bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
}
