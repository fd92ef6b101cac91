/**
 * @file Tests that every hostile run file is read up to its limits: its valid runs are added, its invalid lines are reported. The
 * page is tested with a selection of these files in `test/e2e/hostile-files.spec.ts`.
 */
import { expect, test } from 'vitest';
import { toFault } from '../../../src/core/contract';
import { fileLines } from '../../../src/platform/store/files';
import { importRuns } from '../../../src/platform/store/transfer';
import { HOSTILE_RUN_FILES } from '../../fixtures/hostile/files';
import { MemoryLocks } from '../../fixtures/memory-locks';

test.each(HOSTILE_RUN_FILES.map((file) => [file.name, file] as const))(
  'adds the valid runs of a hostile file and reports its invalid lines: %s',
  async (_name, { bytes, recovered, refused, delta }) => {
    const { signal } = new AbortController();
    const file = fileLines(new Blob([Uint8Array.from(await bytes())]), signal);
    const store = { addRuns: (runs: readonly unknown[]) => Promise.resolve(runs.map(() => 'added' as const)) };
    let added = 0;
    const messages: string[] = [];
    let fault = '';
    try {
      for await (const { runs, problems } of importRuns(
        file,
        { store, locks: new MemoryLocks().tab(), clock: { now: () => 0 } },
        signal,
      )) {
        added = runs.added;
        messages.push(...problems.map(({ message }) => message));
      }
    } catch (thrown) {
      fault = toFault(thrown).message;
    }
    expect(added).toBe(recovered);
    if (refused === 'file') expect(fault).toMatch(/The rest was not read/);
    else expect([fault, messages.length], messages.join('\n')).toEqual(['', refused]);
    if (delta) expect([...messages, fault].join('\n')).toMatch(delta);
  },
);
