/**
 * @file Reads the text of a Word document (.docx). Its decompressed size is counted before the document is read. Lazy-loaded,
 * because mammoth is large.
 */
import mammoth from 'mammoth';
import { refused, unreadable } from './refusals';
import { inflated, zipData, zipEntries, ZipError, type ReadRange, type ZipEntry } from '../zip';

/** Maximum decompressed size of all XML in a document, in bytes. A document of 1000 pages has about 10 MB. */
const MOST_XML = 24 * 2 ** 20;
const MOST_ENTRIES = 5000;

/** @param bytes a ZIP archive. Rejects with a `FaultError` with a sentence for the user */
export async function wordText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    await checkArchive(bytes);
  } catch (thrown) {
    throw thrown instanceof ZipError ? refused(DAMAGED) : thrown;
  }
  try {
    // The first is for browsers, the second for Node.
    const { value } = await mammoth.extractRawText({ ...{ arrayBuffer: bytes.slice().buffer }, ...{ buffer: bytes } });
    return value.replaceAll(/\n{3,}/g, '\n\n').trim();
  } catch {
    throw refused('This Word document is damaged. Open it in Word, save it again, and attach the new file.');
  }
}

async function checkArchive(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const read: ReadRange = (start, end) => Promise.resolve(bytes.slice(start, end).buffer);
  const entries = await zipEntries(bytes.length, read);
  const names = entries.map(({ name }) => name);
  if (names.some((name) => name.startsWith('xl/')))
    throw refused('This is a spreadsheet. Save it as CSV, and attach that file.');
  if (names.some((name) => name.startsWith('ppt/')))
    throw refused('These are slides. Save them as PDF, and attach that file.');
  if (!names.some((name) => name.startsWith('word/'))) throw unreadable();
  await checkSize(entries, read);
}

/** Only XML is read. Images stay compressed. Sizes are counted, because the sizes in the list can be wrong. */
async function checkSize(entries: readonly ZipEntry[], read: ReadRange): Promise<void> {
  let left = entries.length > MOST_ENTRIES ? -1 : MOST_XML;
  for (const entry of entries) {
    if (left < 0) break;
    if (!/\.(?:xml|rels)$/i.test(entry.name)) continue;
    for await (const part of inflated(entry.method, await zipData(entry, read), left)) left -= part.length;
  }
  if (left < 0)
    throw refused('This document is too large after decompression. Save a part of it as a new file, and attach that.');
}

const DAMAGED = 'This file is damaged. Open it in another program, save it again, and attach the new file.';
