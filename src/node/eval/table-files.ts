/** @file Opens table files on disk, to import them as datasets. Files are read in parts. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { fault, FaultError, type TableOpener } from '../../core/contract';
import type { ByteSource } from '../../platform/datasets/byte-source';
import type { OpenTable } from '../../platform/datasets/open-table';
import { formatOf } from '../../platform/datasets/table-format';
import { UsageError } from '../exit-codes';
import { checkFile } from '../read-text';

/** Opens tables by path. Throws a `UsageError` if the file is missing or its name has an unknown extension. */
export function createTableFiles(openTable: OpenTable): TableOpener<string> {
  return {
    async openFile(path, signal, encoding) {
      const format = formatOf(path);
      if (format === null) {
        throw new UsageError(
          `${path} is not a table. Its name must end in .jsonl, .ndjson, .json, .csv or .tsv, each optionally with .gz, or in .parquet, .eval, .yaml or .yml.`,
        );
      }
      return openTable(await fileSource(path), format, { kind: 'file', name: basename(path) }, signal, { encoding });
    },
    openHub: refuse,
    listHub: refuse,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new FaultError(fault('bad-request', 'Download the dataset, then give its file with --data.')));
}

async function fileSource(path: string): Promise<ByteSource> {
  const { size } = await checkFile(path);
  const name = basename(path);
  return {
    name,
    size,
    async slice(start, end) {
      const handle = await open(path, 'r');
      try {
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
        for (let filled = 0; filled < bytes.length;) {
          const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
          if (bytesRead === 0) throw shortened(name);
          filled += bytesRead;
        }
        return bytes.buffer;
      } finally {
        await handle.close();
      }
    },
    stream(signal) {
      const reader = Readable.toWeb(createReadStream(path, { signal })).getReader();
      let missing = size;
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          const { done, value } = await reader.read();
          if (value instanceof Uint8Array) {
            missing -= value.length;
            controller.enqueue(new Uint8Array(value));
          }
          if (done && missing > 0) throw shortened(name);
          if (done) controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      });
    },
  };
}

function shortened(name: string): FaultError {
  return new FaultError(fault('bad-request', `${name} was shortened while it was read. Start again.`));
}
