/**
 * @file The names and descriptions of the templates that users can choose, in their order in the menu. This file is separate, so that
 * listing Conductors does not load the code that plans. `unlisted.ts` has the other templates.
 */
import type { ConductorInfo } from '../../contract';
import { partsOf } from '../solo';

export interface TemplateEntry {
  readonly label: string;
  /** One sentence for the user. */
  readonly description: string;
  /** `paper`: a baseline of arXiv 2512.04388. `podium`: a template of Podium. */
  readonly by: 'paper' | 'podium';
  /** Whether the user may choose the worker, because one worker does all steps. */
  readonly acceptsWorker: boolean;
  /** Runs skip settled steps, whatever the user prefers: the later steps are needed only without agreement. Absent: no. */
  readonly skipsSettled?: true;
}

const ENTRIES = {
  'best-single': {
    label: 'Best single worker',
    description:
      'Asks one worker once: the best by grades, declared strengths and published benchmark results, or the one you choose.',
    by: 'paper',
    acceptsWorker: true,
  },
  'self-reflection': {
    label: 'Self-reflection, five rounds',
    description:
      'One worker answers, then checks and corrects its own answer four times: the best worker, or the one you choose.',
    by: 'paper',
    acceptsWorker: true,
  },
  consensus: {
    label: 'Consensus, five samples',
    description:
      'The best worker, or the one you choose, answers five times. Then it reports what most of its answers agree on.',
    by: 'paper',
    acceptsWorker: true,
  },
  'mixture-of-agents': {
    label: 'Mixture of Agents',
    description:
      'Every worker answers. Then one worker, chosen at random, combines the answers. This needs one call more than there are workers.',
    by: 'paper',
    acceptsWorker: false,
  },
  routing: {
    label: 'Routing by history',
    description: 'Asks one worker once: the one that was right most often in your graded runs on similar questions.',
    by: 'podium',
    acceptsWorker: false,
  },
  'scouts-first': {
    label: 'Scouts first',
    description:
      'Two cheap workers of different families answer. Only if they disagree, the best worker solves, and another one checks.',
    by: 'podium',
    acceptsWorker: false,
    skipsSettled: true,
  },
  'sample-until-sure': {
    label: 'Sample until sure',
    description:
      'The best worker, or the one you choose, answers four times, and up to eight times while its answers disagree.',
    by: 'podium',
    acceptsWorker: true,
    skipsSettled: true,
  },
  'sample-and-aggregate': {
    label: 'Sample and aggregate',
    description: 'Up to four independent attempts at the same time, then one answer made of them.',
    by: 'podium',
    acceptsWorker: false,
  },
  debate: {
    label: 'Debate',
    description: 'Two workers answer, each replies to the other, and a judge decides.',
    by: 'podium',
    acceptsWorker: false,
  },
  random: {
    label: 'Random workflow',
    description: 'Chooses the steps, their workers and what each step sees at random.',
    by: 'podium',
    acceptsWorker: false,
  },
} as const satisfies Readonly<Record<string, TemplateEntry>>;

export type TemplateName = keyof typeof ENTRIES;
export const TEMPLATE_ENTRIES: Readonly<Record<TemplateName, TemplateEntry>> = ENTRIES;

/** The entry of a template by the id of its Conductor. `null`: the Conductor is no template, or users can't choose it. */
export function templateEntry(conductorId: string): TemplateEntry | null {
  const { template } = partsOf(conductorId);
  return Object.entries(TEMPLATE_ENTRIES).find(([name]) => template === `template:${name}`)?.[1] ?? null;
}

export function templateInfo(name: TemplateName): ConductorInfo {
  return infoOf(name, TEMPLATE_ENTRIES[name]);
}

export function infoOf(name: string, { label }: TemplateEntry): ConductorInfo {
  return { id: `template:${name}`, label, kind: 'template', origin: null };
}

/** The templates that the user can choose, in their order in the menu. */
export const LISTED_TEMPLATES = Object.keys(ENTRIES) as readonly TemplateName[];
