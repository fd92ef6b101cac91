/** @file The state of a measurement, as a fold over its events. */
import type { Fault } from '../fault';
import type { MeasuredAnswer, MeasuredItem, MeasurementEvent, MeasurementPlan, WorkerFigures } from './measurement';

/** An item that was asked. `answer: null`: the call is in progress, or the page closed during it. */
export interface AskedItem {
  readonly item: MeasuredItem;
  readonly answer: MeasuredAnswer | null;
  /** US dollars that count for the item: its cost, or its maximum cost while the cost is unknown. */
  readonly usd: number;
}

export interface MeasurementState {
  readonly id: string;
  readonly startedAt: number;
  readonly plan: MeasurementPlan;
  /** In the order in which they were asked. */
  readonly items: readonly AskedItem[];
  /** Why workers can't be called any more, by their index in the plan. */
  readonly ended: ReadonlyMap<number, Fault>;
  /** Whether nothing is left to ask. */
  readonly isFinished: boolean;
  /** What the workers had before they were given the figures. `null`: the figures are not in use. */
  readonly before: readonly WorkerFigures[] | null;
  /** Number of events. */
  readonly events: number;
  /** ms since the epoch of the last event that added to the figures. */
  readonly at: number;
}

/** `null`: there is no readable first event. */
export function foldMeasurement(events: readonly MeasurementEvent[]): MeasurementState | null {
  let state: MeasurementState | null = null;
  for (const event of events) state = applyMeasurement(state, event);
  return state;
}

export function applyMeasurement(state: MeasurementState | null, event: MeasurementEvent): MeasurementState | null {
  if (event.type === 'started') {
    const { id, at, plan } = event;
    return { id, startedAt: at, plan, items: [], ended: new Map(), isFinished: false, before: null, events: 1, at };
  }
  if (!state) return null;
  const next = { ...state, events: state.events + 1 };
  switch (event.type) {
    case 'asked':
      return { ...next, items: asked(state.items, event) };
    case 'answered':
      return { ...next, items: answered(state.items, event), at: event.at };
    case 'worker-ended':
      return { ...next, ended: new Map(state.ended).set(event.worker, event.fault) };
    case 'stopped':
      return next;
    case 'resumed':
      return { ...next, ended: new Map(), isFinished: false };
    case 'finished':
      return { ...next, isFinished: true };
    case 'used':
      return { ...next, before: event.before };
    case 'undone':
      return { ...next, before: null };
    default:
      return event satisfies never;
  }
}

type Asked = Extract<MeasurementEvent, { type: 'asked' }>;
type Answered = Extract<MeasurementEvent, { type: 'answered' }>;

/** A retry of a failed call is asked again. Both calls may cost their maximum. */
function asked(items: readonly AskedItem[], { item, usd }: Asked): readonly AskedItem[] {
  const place = placeOf(items, item);
  const before = items[place];
  if (!before) return [...items, { item, answer: null, usd }];
  return items.with(place, { ...before, usd: before.usd + usd });
}

function answered(items: readonly AskedItem[], event: Answered): readonly AskedItem[] {
  const place = placeOf(items, event);
  const before = items[place];
  if (!before) return items;
  return items.with(place, { ...before, answer: event.answer, usd: event.answer.usd ?? before.usd });
}

function placeOf(items: readonly AskedItem[], { worker, number }: Pick<MeasuredItem, 'worker' | 'number'>): number {
  return items.findLastIndex(({ item }) => item.worker === worker && item.number === number);
}

/** US dollars that count towards the budget. */
export function spentOf({ items }: Pick<MeasurementState, 'items'>): number {
  return items.reduce((sum, { usd }) => sum + usd, 0);
}
