/** @file The Web Worker that reads one attached file. */
import { sha256Hex } from '../../../core/contract';
import { serveCalls } from '../../serve-calls';
import { readBytes } from '../read-bytes';
import { readOrder, type FileOrder, type FileReport } from './messages';

serveCalls(self, read, readOrder);

async function read({ name, file }: FileOrder): Promise<FileReport> {
  const content = await readBytes(name, new Uint8Array(await file.arrayBuffer()));
  return { content, hash: sha256Hex(content.text) };
}
