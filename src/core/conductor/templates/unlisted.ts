/** @file The names and descriptions of the templates that only evaluations use. They are not in the list that users choose from. */
import type { ConductorInfo } from '../../contract';
import { infoOf, type TemplateEntry } from './entries';

const ENTRIES = {
  vote: {
    label: 'Vote',
    description: 'One worker answers several times, and the most frequent answer wins.',
    by: 'podium',
    acceptsWorker: true,
  },
  'nearest-neighbours': {
    label: 'Nearest neighbours',
    description: 'One call for each task, to the worker that was right most often on the most similar questions.',
    by: 'podium',
    acceptsWorker: false,
  },
  'fitted-router': {
    label: 'Fitted router',
    description: 'One call for each task, to the worker that a regression on the history expects to be right.',
    by: 'podium',
    acceptsWorker: false,
  },
} as const satisfies Readonly<Record<string, TemplateEntry>>;

export type UnlistedName = keyof typeof ENTRIES;
export const UNLISTED_ENTRIES: Readonly<Record<UnlistedName, TemplateEntry>> = ENTRIES;

export function unlistedInfo(name: UnlistedName): ConductorInfo {
  return infoOf(name, ENTRIES[name]);
}
