/** @file The character maps of pdf.js, in one file that is loaded when a PDF first needs one of them. */

const maps = import.meta.glob<string>('/node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url&inline',
  import: 'default',
  eager: true,
});

/** A character map by the name of its file. `null`: there is no such map. */
export function characterMap(filename: string): Uint8Array | null {
  const [, data] = maps[`/node_modules/pdfjs-dist/cmaps/${filename}`]?.split(',') ?? [];
  return data === undefined ? null : Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
}
