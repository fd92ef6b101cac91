/**
 * @file Lazy-loads the pins of prebuilt models (`models/pins/*.json`). A pin has the commit of a model's weights, and the
 * sizes and digests of its files.
 */
import type { ModelManifest, ModelPin } from '../../../core/contract';
import { modelPinSchema } from '../../../core/contract/model/model-pin-schema';

const files = import.meta.glob('../../../../models/pins/*.json', { import: 'default' });

/** The pin of a model, or `null` if it has none. Throws if the pin's file does not match the schema. */
export async function pinOf({ source }: Pick<ModelManifest, 'source'>): Promise<ModelPin | null> {
  if (source.kind !== 'prebuilt') return null;
  const content = await files[`../../../../models/pins/${source.id}.json`]?.();
  return content === undefined ? null : modelPinSchema.parse(content);
}
