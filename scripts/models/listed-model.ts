/** @file Compares the manifests of prebuilt models with the list of models in WebLLM, and updates them from this list. */
import type { ModelRecord } from '@mlc-ai/web-llm';
import type { ModelManifest, ModelPin } from '../../src/core/contract';

/** The fields of a manifest that the list determines. */
type ListedFacts = Pick<ModelManifest, 'memory' | 'context' | 'needs'>;

/** A sentence for each difference between a manifest and the list. Empty for models that are not prebuilt. */
export function differencesOf({ source, ...manifest }: ModelManifest, list: readonly ModelRecord[]): string[] {
  if (source.kind !== 'prebuilt') return [];
  const record = recordOf(source.id, list);
  if (!record) return [`WebLLM doesn’t list ${source.id}.`];
  const listed = factsOf(record);
  return (['memory', 'context', 'needs'] as const)
    .filter((field) => JSON.stringify(manifest[field]) !== JSON.stringify(listed[field]))
    .map(
      (field) =>
        `${source.id}: ${field} is ${JSON.stringify(manifest[field])}, and WebLLM lists ${JSON.stringify(listed[field])}.`,
    );
}

/** The manifest with the facts of the list. Returns the manifest unchanged if the model is not listed or not prebuilt. */
export function updatedManifest(manifest: ModelManifest, list: readonly ModelRecord[]): ModelManifest {
  const { source } = manifest;
  const record = source.kind === 'prebuilt' ? recordOf(source.id, list) : undefined;
  return record ? { ...manifest, ...factsOf(record) } : manifest;
}

/** A draft of a listed model's manifest. It lacks the facts that the list does not contain. `null` if the model is not listed. */
export function draftManifest(id: string, list: readonly ModelRecord[]): ModelManifest | null {
  const record = recordOf(id, list);
  if (!record) return null;
  const full = id.replace('f16', 'f32');
  const hasTwin = full !== id && recordOf(full, list) !== undefined;
  return {
    id: `webllm:${id}`,
    label: id
      .replace(/-(?:Instruct|it)\b/, '')
      .replace(/-MLC$/, '')
      .replaceAll('-', ' '),
    engine: 'webllm',
    source: { kind: 'prebuilt', id },
    ...(hasTwin ? { withoutHalf: `webllm:${full}` } : {}),
    download: null,
    licence: null,
    why: 'A model from WebLLM’s list.',
    prompt: null,
    showWorkers: 'name',
    ...factsOf(record),
  };
}

/** A sentence for each pin (the stored digests of a model's files) that does not match the list. @param pins by model id */
export function pinProblems(pins: ReadonlyMap<string, ModelPin>, list: readonly ModelRecord[]): string[] {
  return [...pins].flatMap(([id, { library }]) => {
    const record = recordOf(id, list);
    if (!record) return [`WebLLM doesn’t list ${id}, which has a pin.`];
    if (record.model_lib === library.url) return [];
    return [`The pin of ${id} is for the library ${library.url}, and WebLLM lists ${record.model_lib}.`];
  });
}

function recordOf(id: string, list: readonly ModelRecord[]): ModelRecord | undefined {
  return list.find(({ model_id }) => model_id === id);
}

/**
 * Reads the facts of a listed model. A build that computes with 16-bit numbers has `f16` in its id. Each such build needs the GPU
 * feature `shader-f16`, but the list names this feature for only some of them. Therefore it is added to every id with `f16`.
 */
function factsOf({ model_id, vram_required_MB = 0, overrides }: ModelRecord): ListedFacts {
  return {
    memory: Math.round(vram_required_MB * 1e6),
    context: overrides?.context_window_size ?? 0,
    needs: model_id.includes('f16') ? ['shader-f16'] : [],
  };
}
