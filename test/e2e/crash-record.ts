/**
 * @file What a crash hit, on its way from the test that saw it to the reporter that counts.
 */
import type { TestInfo } from '@playwright/test';
import * as z from 'zod/mini';

const crashShape = z.object({
  /** What the moment was counted by. */
  when: z.string(),
  /** Type of the last event that lay on disk; empty: none. */
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
