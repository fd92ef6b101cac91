/** @file Words for searches for lessons. */
import type { LearnedLessons } from '../../core/contract';
import type { Range, SearchEstimate } from '../../core/lessons/search-estimate';
import type { SearchState } from '../../core/lessons/search-state';
import type { ConductorChoice } from '../services';
import { count, duration, money, plural } from '../ui/figures';

export function searchAddress(id: string): string {
  return `#/train/${id}`;
}

export function estimateWords({ calls, usd }: SearchEstimate): readonly string[] {
  return [
    calls.low === calls.high ? plural(calls.low, 'call') : `${count(calls.low)} to ${plural(calls.high, 'call')}`,
    usd === null ? 'cost unknown' : usd.high === 0 ? 'free' : costRange(usd),
  ];
}

function costRange({ low, high }: Range): string {
  return money(low) === money(high) ? `about ${money(high)}` : `${money(low)} to ${money(high)}`;
}

/** @param run mean time of a run in ms. `null`: unknown */
export function timeWords(runs: number, concurrency: number, run: number | null): string {
  return run === null ? 'time unknown' : `about ${duration((runs * run) / concurrency)}`;
}

export function spentWords({ usd, unpriced }: { readonly usd: number; readonly unpriced: number }): string {
  if (unpriced === 0) return money(usd);
  return usd === 0 ? 'unknown' : `at least ${money(usd)}`;
}

export function stateWords({ state, isDone }: { readonly state: SearchState; readonly isDone: boolean }): string {
  if (state.proof) return isDone ? 'Proved' : 'Proof paused';
  return state.isEnded ? 'Finished' : 'Paused';
}

/** The name of the Conductor that learned lessons. `null`: it is no longer set up. */
export function conductorName({ conductor }: Pick<LearnedLessons, 'conductor'>, choices: readonly ConductorChoice[]) {
  const choice = choices.find(({ info }) => info.id === conductor);
  return choice ? (choice.name ?? choice.info.label) : null;
}
