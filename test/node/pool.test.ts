import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_PREFERENCES } from '../../src/core/contract';
import { readPool } from '../../src/node/pool';
import { writePoolFile } from '../../src/platform/store/pool-file';
import { endpointSetup } from './eval/plans';

it.each([
  ['UTF-16, as PowerShell writes it', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
])('reads a pool file in %s', async (_, encode) => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-pool-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'pool.json');
  const setup = { ...endpointSetup('ash', 'http://127.0.0.1:1/v1'), name: 'Größe' };
  const file = { pool: null, workers: [setup], conductor: null, preferences: DEFAULT_PREFERENCES };
  await writeFile(path, encode(writePoolFile(file, '1.0.0')));
  expect((await readPool(path)).setups.get('ash')?.name).toBe('Größe');
});
