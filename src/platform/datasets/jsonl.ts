/** @file Reads JSONL: one JSON object per line, such as the results of promptfoo, lm-evaluation-harness and OpenAI Evals. */
import { isRecord, parseJson, type TablePart } from '../../core/contract';
import type { TextReader } from '../../core/contract/text-encoding';
import { readLines } from '../read-lines';
import type { ByteSource } from './byte-source';
import { lmEvalRow } from './logs/lm-eval-row';
import { OpenAiEvalsLog } from './logs/openai-evals-log';
import { promptfooRow } from './logs/promptfoo-row';
import { PartBuilder } from './parts';
import { brokenText, openText } from './text-pieces';

/** Maximum length of a line, in UTF-16 units. Some tasks of LiveCodeBench have tens of MB of tests. */
const LONGEST_LINE = 128 * 1024 * 1024;

export async function* readJsonl(
  source: ByteSource,
  decoder: TextReader,
  signal: AbortSignal,
): AsyncGenerator<TablePart, void, undefined> {
  const text = openText(source, signal);
  const parts = new PartBuilder(decoder);
  const evals = new OpenAiEvalsLog();
  try {
    // True if the previous line is not JSON. If that line is the last one, the file was probably cut off.
    let isPending = false;
    for await (const line of readLines(text.bytes, LONGEST_LINE, decoder)) {
      signal.throwIfAborted();
      if (isPending) parts.skip('The line is not JSON.');
      isPending = false;
      if (line === null) parts.skip('The line is longer than 128 million characters.');
      else if (line.trim() !== '') isPending = !addLine(line, parts, source.name, evals);
      if (parts.isFull) yield parts.flush(text.read());
    }
    if (isPending) parts.skip('The last line is incomplete. The file may have been cut off.');
    yield parts.flush(text.read());
  } catch (thrown) {
    throw brokenText(thrown, source, signal);
  }
}

/** @returns false if the line is not JSON */
function addLine(line: string, parts: PartBuilder, file: string, evals: OpenAiEvalsLog): boolean {
  const value = parseJson(line);
  if (value === undefined) return false;
  if (!isRecord(value)) {
    parts.skip('The line is JSON, but not an object.');
    return true;
  }
  for (const row of evals.rows(value) ?? [promptfooRow(value) ?? lmEvalRow(value, file) ?? value]) {
    if (typeof row === 'string') parts.skip(row);
    else parts.add(row, line.length);
  }
  return true;
}
