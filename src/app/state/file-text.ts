/** @file Reads whole text files that the user picks. */
import { textOf } from '../../core/contract/text-encoding';

/** The text of a file. Its encoding is detected, because other programs may have saved the file as UTF-16. */
export async function fileText(file: Blob): Promise<string> {
  return textOf(new Uint8Array(await file.arrayBuffer()));
}
