/**
 * @file Loads and validates the published facts about models in `models/known/`. This module is
 * lazy-loaded, so that the first page stays small.
 */
import * as z from 'zod/mini';
import type { KnownModel } from '../../core/contract';
import { knownModelSchema } from '../../core/contract/model/known-model-schema';

const files = import.meta.glob('../../../models/known/*.json', { eager: true, import: 'default' });

/**
 * All model families. If a file does not match the schema, importing this module fails. A test
 * validates every file.
 */
export const KNOWN_MODELS: readonly KnownModel[] = z.array(knownModelSchema).parse(Object.values(files));
