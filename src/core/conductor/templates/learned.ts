/**
 * @file Templates that call one worker once: the worker that a router expects to be right. The router learns from the graded runs of
 * the request, which are the rest of a table of recorded outcomes in an evaluation. Without graded runs, it chooses like `routing`.
 */
import { type GradedRun, type PlanRequest } from '../../contract';
import { workersOf } from '../limits';
import { choiceOf, rankWorkers } from '../ranking';
import { fitRouter } from '../routers/fitted';
import { knownOutcomes, type KnownOutcomes, type Router } from '../routers/known-outcomes';
import { fitNeighbours } from '../routers/neighbours';
import { inTurn, nameOf, oneStep, template, type Template } from './template';
import type { UnlistedName } from './unlisted';

export const nearestNeighbours = learned('nearest-neighbours', fitNeighbours);
export const fittedRouter = learned('fitted-router', fitRouter);

function learned(name: UnlistedName, fit: (known: KnownOutcomes) => Router): Template {
  // All runs of a batch share one history, and fitting takes seconds.
  const fitted = new WeakMap<readonly GradedRun[], Map<string, Router | null>>();

  function routerOf({ pool, history = [] }: PlanRequest, workers: readonly number[]): Router | null {
    const ids = workers.flatMap((index) => pool[index]?.id ?? []);
    const key = JSON.stringify(ids);
    const routers = fitted.get(history) ?? new Map<string, Router | null>();
    fitted.set(history, routers);
    let router = routers.get(key);
    if (router === undefined) {
      const known = knownOutcomes(history, ids);
      router = known.questions.length === 0 ? null : fit(known);
      routers.set(key, router);
    }
    return router;
  }

  return template(name, (request) => {
    const workers = workersOf(request);
    const chances = routerOf(request, workers)?.predict(request.question);
    if (!chances) {
      const first = inTurn(rankWorkers(request, 'solve'), 0);
      const thought = `${nameOf(request, first)} comes first, because no outcomes of single workers are known to learn from.`;
      return { workflow: { steps: [oneStep(first)] }, thought, choices: [choiceOf(request, first, 'solve')] };
    }
    const expected = Math.max(...chances);
    const best = workers[chances.indexOf(expected)] ?? 0;
    const thought = `${nameOf(request, best)} is expected to be right with ${Math.round(100 * expected)} %, the most of all workers.`;
    const choice = { ...choiceOf(request, best, 'solve'), expected };
    return { workflow: { steps: [oneStep(best)] }, thought, choices: [choice] };
  });
}
