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

const PASSING = { durability: 'relaxed', summary: 'none' } as const;
const LISTED = { durability: 'relaxed', summary: 'write' } as const;
const UNLISTED = { durability: 'strict', summary: 'none' } as const;
const SAVED = { durability: 'strict', summary: 'write' } as const;
const SAVED_WHOLE = { ...SAVED, isLarge: true } as const;
const ENDING = { durability: 'strict', summary: 'notify' } as const;

const EVENT_TRAITS = {
  'run-started': { durability: 'strict', summary: 'notify', isLarge: true },
  'round-started': PASSING,
  'plan-started': UNLISTED,
  'plan-waiting': { durability: 'strict-when-leaving', summary: 'write' },
  'plan-delta': { durability: 'relaxed', summary: 'none', isDelta: true },
  'plan-step-known': PASSING,
  'plan-retried': SAVED,
  'plan-candidate': UNLISTED,
  'plan-chosen': PASSING,
  'plan-finished': SAVED_WHOLE,
  'plan-failed': SAVED,
  'plan-held': LISTED,
  'plan-edited': SAVED,
  'plan-approved': SAVED,
  'step-queued': PASSING,
  'step-started': UNLISTED,
  'step-waiting': { durability: 'strict-when-leaving', summary: 'write' },
  'step-delta': { durability: 'relaxed', summary: 'none', isDelta: true },
  'step-retried': SAVED,
  'step-finished': SAVED_WHOLE,
  'step-failed': SAVED_WHOLE,
  'step-skipped': LISTED,
  'step-settled': SAVED_WHOLE,
  'step-reused': { durability: 'relaxed', summary: 'write', isLarge: true },
  'step-discarded': SAVED,
  'step-cancelled': SAVED_WHOLE,
  'round-finished': LISTED,
  'cap-reached': LISTED,
  'answer-requested': SAVED,
  'run-finished': ENDING,
  'run-failed': ENDING,
  'run-cancelled': ENDING,
  'run-interrupted': { durability: 'strict', summary: 'notify', isCopyMark: true },
  'run-resumed': { durability: 'relaxed', summary: 'notify' },
  'run-graded': { durability: 'strict', summary: 'notify', followsEnd: true },
  'answers-compared': { durability: 'strict', summary: 'notify', isLarge: true, followsEnd: true },
  'alone-answered': { durability: 'strict', summary: 'notify', isLarge: true, followsEnd: true },
  'pair-compared': { durability: 'strict', summary: 'notify', followsEnd: true },
  'run-labelled': { durability: 'relaxed', summary: 'notify', followsEnd: true },
  'run-annotated': { durability: 'relaxed', summary: 'notify', followsEnd: true },
  'run-imported': { durability: 'relaxed', summary: 'notify', followsEnd: true, isCopyMark: true },
} as const satisfies Record<EventType, EventTraits>;

/** The traits of an event whose type this version does not know. */
const UNKNOWN: EventTraits = LISTED;

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
