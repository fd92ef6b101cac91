/** @file Texts about a run: its calls, what it waits for, what its Conductor will do, and how it ended. */
import { type ConductorInfo, type Preferences, type Run, heldPlan } from '../../core/contract';
import type { Ceiling } from '../../core/runs/new-run';
import { duration, plural, money } from '../ui/figures';
import { isCallWaiting } from '../score/played-step';
import type { ConductStatus } from '../state/conduct.svelte';
import type { ShownPlan } from '../state/shown-plan.svelte';
import type { DefaultConductor } from '../../core/conductor/default-conductor';
import { modelLabel, partOfPolicy, RANKED_CANDIDATES } from '../../core/conductor/with-policy-info';

/** "3 of at most 5 calls, 1 waiting". Without a ceiling: "3 calls, 1 waiting". */
export function callsSoFar(run: Run, ceiling: Ceiling | null): string {
  const made = run.spent.calls;
  return (ceiling ? `${made} of at most ${plural(ceiling.calls, 'call')}` : plural(made, 'call')) + waitingCount(run);
}

/**
 * ", 1 waiting": the number of steps whose next call is due but not sent yet. `''` if there are no such steps, or if the run has
 * ended.
 */
export function waitingCount(run: Run): string {
  const waiting = run.rounds.flatMap((round) => round.steps).filter(isCallWaiting).length;
  return waiting > 0 && run.status === 'running' ? `, ${waiting} waiting` : '';
}

/** Says that the plan of a round waits for approval. @param round 0-based */
function heldSentence(round: number): string {
  const plan = round === 0 ? 'The plan' : `The plan of round ${round + 1}`;
  return `${plan} is waiting for your approval. ${round === 0 ? 'No worker has been called yet.' : 'No calls are made while you decide.'}`;
}

/** What the Conductor will do when the user presses Run. */
function writesSentence(
  info: ConductorInfo,
  { candidates, choice }: Pick<Preferences, 'candidates' | 'choice'>,
): string {
  const together = togetherSentence(info, { candidates, choice });
  if (together !== null) return together;
  const { label, kind } = info;
  if (candidates === 1) return `${label} writes the plan when you press Run.`;
  const chooses = choice === 'person' ? 'you choose one' : 'a vote chooses one';
  const writes = kind === 'policy' ? 'The trained policy samples' : `${label} writes`;
  return `${writes} ${candidates} plans when you press Run, and ${chooses}.`;
}

/** Says that plans wait for the user's choice. */
function choiceSentence(plans: number): string {
  return `${plural(plans, 'plan')} to choose from. No worker has been called yet.`;
}

/** The announcement for screen readers when a run starts or ends. */
export function endSentence(run: Run): string {
  switch (run.status) {
    case 'running':
      return 'The run has started.';
    case 'finished':
      return `The run finished after ${duration(run.time)}. The answer is ready.`;
    // The fault is shown in an alert, which screen readers announce anyway.
    case 'failed':
      return '';
    case 'cancelled':
      return 'The run was stopped.';
    case 'interrupted':
      return 'The run was interrupted.';
    default:
      return run.status satisfies never;
  }
}

/**
 * The text beside the heading before a run. If there is or will be a plan, it says that nothing has been
 * called yet. With `isPrivate`, it also says that nothing will leave this machine.
 * `''` if neither applies.
 */
export function planSentence(status: ConductStatus, hasPlan: boolean, isPrivate: boolean): string {
  const stays = isPrivate ? ' Nothing will leave this machine.' : '';
  if (status === 'editing') return `Edited by you. Nothing has been called yet.${stays}`;
  return (hasPlan || status === 'planning' ? 'What Run will do. Nothing has been called yet.' : '') + stays;
}

/**
 * The text that is shown instead of a plan. Says why there is no plan yet, or when the Conductor will write
 * it. `''`: no text.
 */
export function noPlanSentence(
  status: ConductStatus,
  { choice, isInstant }: Pick<ShownPlan, 'choice' | 'isInstant'>,
  { hasWorkers, hasQuestion, preferences }: { hasWorkers: boolean; hasQuestion: boolean; preferences: Preferences },
): string {
  if (!hasWorkers) return 'Choose at least one worker.';
  if (status === 'editing') return 'The plan has no steps yet.';
  if (choice?.missing !== undefined && hasQuestion) return choice.missing;
  if (choice && choice.missing === undefined && !isInstant) return writesSentence(choice.info, preferences);
  if (!hasQuestion) return 'Type a question to see its plan.';
  return status === 'planning' ? 'Planning…' : '';
}

/** Says that the run waits until the user approves or chooses a plan. `null` if the run does not wait. */
export function waitingSentence(run: Run): string | null {
  const held = heldPlan(run);
  if (!held) return null;
  return held.heldFor === 'choice' ? choiceSentence(held.plan.candidates.length) : heldSentence(held.round);
}

/** The menu entry for the automatic choice: "Automatic: GPT-5 mini". */
export function automaticLabel(info: ConductorInfo | null): string {
  if (!info) return 'Automatic';
  return `Automatic: ${info.kind === 'policy' ? 'trained policy' : info.label}`;
}

/**
 * Which Conductor plans if the choice is automatic, and why. `''` if the pool has neither simulated workers
 * nor workers that call a model.
 * @param cost cost of a plan in US dollars. `null`: unknown
 * @param hasBudget whether there is a budget for the run or the day. If so, calls with unknown prices are not
 * made
 */
export function plannerSentence(
  { reason }: DefaultConductor,
  { label, kind }: Pick<ConductorInfo, 'label' | 'kind'>,
  cost: number | null,
  hasBudget = false,
): string {
  const builtIn = `Planned by ${kind === 'heuristic' ? 'the built-in rules' : 'the trained policy'}, because `;
  switch (reason.kind) {
    case 'empty':
      return '';
    case 'scouts':
      return 'Two cheap workers answer first. The others are called only if these disagree.';
    case 'practice':
      return `${builtIn}the workers are simulated.`;
    case 'private':
      return `${builtIn}Private is on and no model is loaded.`;
    case 'offline':
      return `${builtIn}you are offline.`;
    case 'no-writer':
      return `${builtIn}no worker in the pool can write plans.`;
    case 'local':
      return `Planned by ${label}, which is loaded on this machine and free.`;
    case 'worker': {
      const strong = reason.strongest === null ? '' : `, strongest in ${reason.strongest}`;
      const why = `${WHY[reason.rank]}${reason.sees ? ' that can see images' : ''}${strong}`;
      return `Planned by ${label}: ${why}. ${costWords(cost, hasBudget)}`;
    }
    default:
      return reason satisfies never;
  }
}

const WHY = {
  only: 'the only model',
  best: 'highest-rated model',
  'near-best': 'cheapest of the highest-rated models',
  cheapest: 'cheapest model',
  first: 'first model in the pool',
} as const;

function costWords(cost: number | null, hasBudget: boolean): string {
  if (cost === null)
    return hasBudget
      ? 'Its price is unknown, so it can’t be called while there is a budget. Enter its price under Workers.'
      : 'Price of the plan: unknown.';
  if (cost === 0) return 'The plan is free.';
  return cost < 0.000_05 ? 'The plan costs under $0.0001.' : `The plan costs about ${money(cost)}.`;
}

/** What a model and the policy will do when the user presses Run. `null` if the Conductor doesn't combine the two. */
function togetherSentence(
  info: ConductorInfo,
  { candidates, choice }: Pick<Preferences, 'candidates' | 'choice'>,
): string | null {
  const part = partOfPolicy(info.id)?.part;
  const model = modelLabel(info);
  switch (part) {
    case undefined:
      return null;
    case 'skeleton': {
      const times = candidates === 1 ? '' : ` ${candidates} times`;
      return `The policy plans the steps when you press Run, and ${model} writes the subtasks${times}.`;
    }
    case 'ranking': {
      const chooses = choice === 'person' ? 'the policy ranks them and you choose one' : 'the policy chooses one';
      return `${model} writes ${plural(Math.max(candidates, RANKED_CANDIDATES), 'plan')} when you press Run, and ${chooses}.`;
    }
    default:
      return part satisfies never;
  }
}
