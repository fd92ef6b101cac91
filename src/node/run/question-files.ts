/** @file Reads the files that `--file` attaches to a question. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { LONGEST_NAME, MOST_FILES, sha256Hex, toFault, type QuestionFile } from '../../core/contract';
import { checkFileSize, readBytes } from '../../platform/documents/read-bytes';
import { UsageError } from '../exit-codes';
import { checkFile } from '../read-text';

/** Throws a `UsageError` that names the file and the problem. */
export async function readQuestionFiles(paths: readonly string[]): Promise<readonly QuestionFile[]> {
  if (paths.length > MOST_FILES) throw new UsageError(`A question can have at most ${MOST_FILES} files.`);
  return Promise.all(paths.map(readQuestionFile));
}

async function readQuestionFile(path: string): Promise<QuestionFile> {
  const { size } = await checkFile(path);
  const name = basename(path).slice(-LONGEST_NAME);
  try {
    checkFileSize(size);
    const { kind, text } = await readBytes(name, new Uint8Array(await readFile(path)));
    return { name, kind, text, hash: sha256Hex(text) };
  } catch (thrown) {
    throw new UsageError(`${path}: ${toFault(thrown).message}`);
  }
}
