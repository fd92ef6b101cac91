/** @file Reads a YAML file with promptfoo's tests. The code of YAML is loaded for such files only. */
import { fault, FaultError, type TablePart } from '../../core/contract';
import type { TextReader } from '../../core/contract/text-encoding';
import { readText } from '../read-lines';
import type { ByteSource } from './byte-source';
import { testRows } from './logs/promptfoo-tests';
import { PartBuilder } from './parts';
import { openText } from './text-pieces';

/** Maximum length of a file, in UTF-16 units. YAML is read whole. */
const LONGEST = 16 * 1024 * 1024;

export async function* readYaml(
  source: ByteSource,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  const open = openText(source, signal);
  let text = '';
  for await (const piece of readText(open.bytes, decoder)) {
    signal.throwIfAborted();
    text += piece;
    if (text.length > LONGEST) throw refused(`${source.name} has more than 16 million characters. Split its tests.`);
  }
  const { parse } = await import('yaml');
  const parts = new PartBuilder(decoder);
  for (const row of testRows(parsed(text, parse)) ?? []) {
    parts.add(row, JSON.stringify(row).length);
    if (parts.isFull) yield parts.flush(open.read());
  }
  yield parts.flush(open.read());
}

/** Also throws if aliases repeat far more than the file has. */
function parsed(text: string, parse: (text: string, options: { maxAliasCount: number }) => unknown): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (thrown) {
    const [detail = ''] = String(thrown).split('\n');
    throw refused('This file is not valid YAML.', detail);
  }
}

function refused(message: string, detail?: string): FaultError {
  return new FaultError(fault('bad-request', message, detail === undefined ? {} : { detail }));
}
