/** @file Stores the events of one measurement in a file. */
import * as z from 'zod/mini';
import type { MeasurementEvent, MeasurementStore } from '../../core/contract/measurement/measurement';
import { measurementSchema } from '../../core/contract/measurement/measurement-schema';
import type { EventFile, EventFormat } from '../store/event-file';

export const MEASUREMENT_FORMAT: EventFormat<MeasurementEvent> = {
  starts: ['{"id":"', '{"type":"'],
  parse: (value) => z.safeParse(measurementSchema, value).data ?? null,
};

export function measurementStore(file: EventFile<MeasurementEvent>): MeasurementStore {
  return {
    list: async () => file.events.flatMap(({ type, id, at }) => (type === 'started' ? [{ id, startedAt: at }] : [])),
    read: async (id) => file.events.filter((event) => event.id === id),
    append: (event) => file.append(event),
  };
}
