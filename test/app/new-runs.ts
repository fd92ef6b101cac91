/** @file Makes requests for new runs. */
import { HEURISTIC_INFO } from '../../src/core/conductor/heuristic';
import { SETTING_DEFAULTS } from '../../src/core/contract';
import type { NewRun } from '../../src/core/runs/new-run';
import type { Services } from '../../src/app/services';

export function newRunOf(services: Services, more: Partial<NewRun> = {}): NewRun {
  return {
    question: 'Use 3, 4, 7, 8, 25 and 50 to reach 537.',
    pool: services.simulated,
    conductor: services.conductor(HEURISTIC_INFO),
    recursion: false,
    maxSteps: 5,
    caps: { rounds: 2, calls: 16, tokens: null, usd: null },
    sampling: { temperature: 0.2, maxTokens: 4096 },
    ...SETTING_DEFAULTS,
    ...more,
  };
}
