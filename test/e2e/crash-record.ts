/**
 * @file The record of a crash, passed from the test to the reporter.
 */
import type { TestInfo } from '@playwright/test';
import * as z from 'zod/mini';

const crashShape = z.object({
  /** Kind of moment at which the page crashed, for example while it stored an event. */
  when: z.string(),
  /** Type of the last event on disk. Empty: there is no event. */
  last: z.string(),
});

export type CrashRecord = z.infer<typeof crashShape>;

const ANNOTATION = 'crash';

export function recordCrash(info: Pick<TestInfo, 'annotations'>, crash: CrashRecord): void {
  info.annotations.push({ type: ANNOTATION, description: JSON.stringify(crash) });
}

export function crashesRecorded(annotations: TestInfo['annotations']): CrashRecord[] {
  return annotations.flatMap(({ type, description }) =>
    type === ANNOTATION && description !== undefined ? [crashShape.parse(JSON.parse(description))] : [],
  );
}
