/** @file The file of one measurement. */
import type { MeasurementEvent } from '../../core/contract/measurement/measurement';
import { parseMeasurementEvent } from '../../core/contract/measurement/measurement-schema';
import type { EventFormat } from '../store/event-file';

export const MEASUREMENT_FORMAT: EventFormat<MeasurementEvent> = {
  starts: ['{"id":"', '{"type":"'],
  parse: parseMeasurementEvent,
};
