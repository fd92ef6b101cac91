/**
 * @file How each type of event affects storage, lists of runs and the run's clock, in one table. A new type of event without a
 * row causes a compile error.
 */
import type { EventType, RunEvent, StoredEvent } from './events';

export interface EventTraits {
  /**
   * `strict`: the event must be on disk before the run continues, because money or the result may depend on it.
   * `strict-when-leaving`: strict only if the event reports that a call stops waiting and is sent.
   */
  readonly durability: 'strict' | 'strict-when-leaving' | 'relaxed';
  /**
   * The effect on the stored summary of the run. `none`: the summary is not written, but its next write includes this event.
   * `write`: the summary is written. `notify`: the summary is written, and other tabs are notified.
   */
  readonly summary: 'none' | 'write' | 'notify';
  /**
   * Set if the event is a piece of a stream. The event that ends the stream has the whole text, so summaries ignore the pieces.
   */
  readonly isDelta?: true;
  /**
   * Set if the event holds whole texts. With each new event, the store rewrites the current chunk of events.
   * So the store begins a new chunk after this event, to avoid writing the event's texts again.
   */
  readonly isLarge?: true;
  /** Set if the event may follow the end of a run. Such an event does not advance the run's clock. */
  readonly followsEnd?: true;
  /** Set if the event records what happened to one stored copy of the run: an import, or an interruption. */
  readonly isCopyMark?: true;
}

const EVENT_TRAITS = {
  'run-started': { durability: 'strict', summary: 'notify', isLarge: true },
  'round-started': { durability: 'relaxed', summary: 'none' },
  'plan-started': { durability: 'strict', summary: 'none' },
  'plan-waiting': { durability: 'strict-when-leaving', summary: 'write' },
  'plan-delta': { durability: 'relaxed', summary: 'none', isDelta: true },
  'plan-step-known': { durability: 'relaxed', summary: 'none' },
  'plan-retried': { durability: 'strict', summary: 'write' },
  'plan-candidate': { durability: 'strict', summary: 'none' },
  'plan-chosen': { durability: 'relaxed', summary: 'none' },
  'plan-finished': { durability: 'strict', summary: 'write', isLarge: true },
  'plan-failed': { durability: 'strict', summary: 'write' },
  'plan-held': { durability: 'relaxed', summary: 'write' },
  'plan-edited': { durability: 'strict', summary: 'write' },
  'plan-approved': { durability: 'strict', summary: 'write' },
  'step-queued': { durability: 'relaxed', summary: 'none' },
  'step-started': { durability: 'strict', summary: 'none' },
  'step-waiting': { durability: 'strict-when-leaving', summary: 'write' },
  'step-delta': { durability: 'relaxed', summary: 'none', isDelta: true },
  'step-retried': { durability: 'strict', summary: 'write' },
  'step-finished': { durability: 'strict', summary: 'write', isLarge: true },
  'step-failed': { durability: 'strict', summary: 'write', isLarge: true },
  'step-skipped': { durability: 'relaxed', summary: 'write' },
  'step-settled': { durability: 'strict', summary: 'write', isLarge: true },
  'step-reused': { durability: 'relaxed', summary: 'write', isLarge: true },
  'step-discarded': { durability: 'strict', summary: 'write' },
  'step-cancelled': { durability: 'strict', summary: 'write', isLarge: true },
  'round-finished': { durability: 'relaxed', summary: 'write' },
  'cap-reached': { durability: 'relaxed', summary: 'write' },
  'answer-requested': { durability: 'strict', summary: 'write' },
  'run-finished': { durability: 'strict', summary: 'notify' },
  'run-failed': { durability: 'strict', summary: 'notify' },
  'run-cancelled': { durability: 'strict', summary: 'notify' },
  'run-interrupted': { durability: 'strict', summary: 'notify', isCopyMark: true },
  'run-resumed': { durability: 'relaxed', summary: 'notify' },
  'run-graded': { durability: 'strict', summary: 'notify', followsEnd: true },
  'run-labelled': { durability: 'relaxed', summary: 'notify', followsEnd: true },
  'run-annotated': { durability: 'relaxed', summary: 'notify', followsEnd: true },
  'run-imported': { durability: 'relaxed', summary: 'notify', followsEnd: true, isCopyMark: true },
} as const satisfies Record<EventType, EventTraits>;

/** The traits of an event whose type this version does not know. */
const UNKNOWN: EventTraits = { durability: 'relaxed', summary: 'write' };

/** Whether this version supports the event. The schema has validated stored events, so checking the type is enough. */
export function isKnownEvent(event: StoredEvent): event is RunEvent {
  return Object.hasOwn(EVENT_TRAITS, event.type);
}

export function traitsOf(event: StoredEvent): EventTraits {
  return isKnownEvent(event) ? EVENT_TRAITS[event.type] : UNKNOWN;
}

/** Whether the event must be on disk before the run continues. */
export function isStrict(event: RunEvent): boolean {
  const { durability } = EVENT_TRAITS[event.type];
  if (durability !== 'strict-when-leaving') return durability === 'strict';
  return 'for' in event && event.for === null;
}

/** The types of events that are pieces of a stream. */
export type DeltaType = {
  [Type in EventType]: (typeof EVENT_TRAITS)[Type] extends { readonly isDelta: true } ? Type : never;
}[EventType];

const DELTA_TYPES: ReadonlySet<unknown> = new Set(
  Object.entries<EventTraits>(EVENT_TRAITS).flatMap(([type, { isDelta }]) => (isDelta ? [type] : [])),
);

/** Whether a value is the type of an event that is a piece of a stream. */
export function isDeltaType(type: unknown): type is DeltaType {
  return DELTA_TYPES.has(type);
}

/** Whether the event is a piece of a stream. */
export function isDelta(event: StoredEvent): event is Extract<RunEvent, { type: DeltaType }> {
  return isDeltaType(event.type);
}
