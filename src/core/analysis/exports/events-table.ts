/** @file Defines the exported table of events. */
import type { StoredEvent } from '../../contract';
import { defineTable } from './table';

export const EVENTS_TABLE = defineTable<StoredEvent>(
  'One row per event. Podium stores each run as a list of events.',
  ({ events }) => events,
  {
    run_id: { type: 'text', about: 'Id of the run.', of: ({ runId }) => runId },
    seq: { type: 'integer', about: 'Number of the event in its run, from 0.', of: ({ seq }) => seq },
    at: { type: 'time', about: 'When the event happened.', of: ({ at }) => at },
    at_ms: { type: 'integer', unit: 'ms', about: 'When the event happened, since 1970-01-01 UTC.', of: ({ at }) => at },
    segment: {
      type: 'integer',
      about: 'Number of the session, from 0. A new session begins each time the run is resumed.',
      of: ({ segment }) => segment,
    },
    elapsed_ms: { type: 'number', unit: 'ms', about: 'Time since the session began.', of: ({ elapsed }) => elapsed },
    type: { type: 'text', about: 'Type of the event.', of: ({ type }) => type },
    data: {
      type: 'json',
      about: 'All other fields of the event, as an object.',
      of: (event) => JSON.stringify(dataOf(event)),
    },
  },
);

function dataOf(event: StoredEvent): object {
  const { runId: _runId, seq: _seq, at: _at, segment: _segment, elapsed: _elapsed, type: _type, ...data } = event;
  return data;
}
