/** @file The Web Worker that reads one attached file. */
import { sha256Hex, toFault } from '../../../core/contract';
import { readBytes } from '../read-bytes';
import { readOrder, type FileReport } from './messages';

async function read(data: unknown): Promise<FileReport> {
  try {
    const { name, file } = readOrder(data);
    const content = await readBytes(name, new Uint8Array(await file.arrayBuffer()));
    return { type: 'read', content, hash: sha256Hex(content.text) };
  } catch (thrown) {
    return { type: 'failed', fault: toFault(thrown) };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  void read(data).then((report) => self.postMessage(report));
});
