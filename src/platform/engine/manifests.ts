/** @file Reads and validates the model manifests that come with Podium (`models/*.json`). */
import * as z from 'zod/mini';
import type { ModelManifest } from '../../core/contract';
import { manifestSchema } from '../../core/contract/model/manifest-schema';

/** The recommended local Conductor. */
export const DEFAULT_MODEL = 'webllm:Qwen2.5-7B-Instruct-q4f16_1-MLC';

const files = import.meta.glob('../../../models/*.json', { eager: true, import: 'default' });

/** All manifests, those that need the least memory first. Throws if a file does not match the schema. */
export function builtInManifests(): readonly ModelManifest[] {
  const manifests = z.array(manifestSchema).parse(Object.values(files));
  return manifests.sort((one, other) => (one.memory ?? 0) - (other.memory ?? 0));
}
