/** @file Reads text files that other programs may have written, such as an editor or PowerShell. */
import { readFile } from 'node:fs/promises';
import { textOf } from '../core/contract/text-encoding';

/** Reads a whole file. Its encoding is detected, because PowerShell and Windows Notepad also write UTF-16 and byte order marks. */
export async function readText(path: string): Promise<string> {
  return textOf(await readFile(path));
}
