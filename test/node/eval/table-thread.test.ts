import { join } from 'node:path';
import { copyFile, writeFile } from 'node:fs/promises';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { createTableFiles } from '../../../src/node/eval/table-files';
import { TableThread } from '../../../src/node/eval/table-thread';
import { createTableDesk } from '../../../src/platform/datasets/table-worker/table-desk';
import { tableWorker } from '../../fixtures/table-worker';
import { testFolder } from './plans';

async function files(clock = systemClock) {
  const script = await tableWorker();
  return createTableFiles(createTableDesk({ clock, createWorker: () => new TableThread(script) }));
}
const signal = () => new AbortController().signal;

it('slow', async () => {
  const path = '/work/shared/cases/datasets/slow-1.parquet';
  const t = Date.now();
  const opening = (await files()).openFile(path, signal());
  await opening.catch((e) => console.log(e.fault, Date.now() - t));
});
