/** @file Lazy-loads the editor of plans, because most plans are not edited. */
import { loadOnce } from '../../core/contract';

export const loadPlanEditor = loadOnce(() => import('../shared/plan/PlanEditor.svelte'), 'the editor of plans');
