/**
 * @file The pins of prebuilt models (`models/pins/*.json`). A pin has the commit of a model's weights, and the sizes and
 * digests of its files. Each pin is loaded only with its model.
 */
import type { ModelManifest, ModelPin } from '../../../core/contract';
import { modelPinSchema } from '../../../core/contract/model/model-pin-schema';

const files = import.meta.glob('../../../../models/pins/*.json', { import: 'default' });

/**
 * The pin of a model. `null` if the model has none. The user's own models have no pins. Throws if the file does not match the
 * schema. A test checks every pin.
 */
export async function pinOf({ source }: Pick<ModelManifest, 'source'>): Promise<ModelPin | null> {
  if (source.kind !== 'prebuilt') return null;
  const content = await files[`../../../../models/pins/${source.id}.json`]?.();
  return content === undefined ? null : modelPinSchema.parse(content);
}
