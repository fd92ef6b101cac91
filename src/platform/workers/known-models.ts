/**
 * @file Published facts about models: the files of `models/known/`, which are validated when this module is loaded. It is
 * lazy-loaded, so that the first page stays small.
 */
import * as z from 'zod/mini';
import type { KnownModel } from '../../core/contract';
import { knownModelSchema } from '../../core/contract/model/known-model-schema';

const files = import.meta.glob('../../../models/known/*.json', { eager: true, import: 'default' });

/** Every model family. The import fails if a file does not match the schema. A test checks every file. */
export const KNOWN_MODELS: readonly KnownModel[] = z.array(knownModelSchema).parse(Object.values(files));
