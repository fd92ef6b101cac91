/** @file Compares the manifests of prebuilt models with WebLLM's model list. Updates the manifests from this list. */
import type { ModelRecord } from '@mlc-ai/web-llm';
import type { ModelManifest, ModelPin } from '../../src/core/contract';

/** The fields of a manifest that come from WebLLM's list. */
type ListedFacts = Pick<ModelManifest, 'memory' | 'context' | 'needs'>;

/** Returns a sentence for each difference between a manifest and the list. Returns none if the model is not prebuilt. */
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

/** Updates the `ListedFacts` of a manifest. Returns the manifest unchanged if the model is not listed or not prebuilt. */
export function updatedManifest(manifest: ModelManifest, list: readonly ModelRecord[]): ModelManifest {
  const { source } = manifest;
  const record = source.kind === 'prebuilt' ? recordOf(source.id, list) : undefined;
  return record ? { ...manifest, ...factsOf(record) } : manifest;
}

/** Drafts the manifest of a listed model, without the facts that the list lacks. @returns `null` if the model is not listed */
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

/**
 * Returns a sentence for each pin that does not match the list. A pin contains the digests of a
 * model's files.
 * @param pins by model id
 */
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
 * Reads the facts of a listed model. Models with `f16` in their id compute with 16-bit numbers and
 * need the GPU feature `shader-f16`. The list names this feature for only some of these models.
 * Therefore this function adds the feature to all of them.
 */
function factsOf({ model_id, vram_required_MB = 0, overrides }: ModelRecord): ListedFacts {
  return {
    memory: Math.round(vram_required_MB * 1e6),
    context: overrides?.context_window_size ?? 0,
    needs: model_id.includes('f16') ? ['shader-f16'] : [],
  };
}
