/** @file Recognizes files by their first bytes, because a name can be wrong, and names the kind of a text file by its extension. */

/** `office`: an older Office program. `other`: archives and programs, which have no text. */
type Signature = 'pdf' | 'zip' | 'office' | 'other' | 'image';

const SIGNATURES: readonly (readonly [Signature, string])[] = [
  ['pdf', '%PDF-'],
  ['zip', 'PK\x03\x04'],
  ['office', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['other', '\x1f\x8b'],
  ['other', '7z\xbc\xaf\x27\x1c'],
  ['other', 'Rar!\x1a\x07'],
  ['other', '\x7fELF'],
  ['other', 'MZ\x90\0'],
  ['image', '\x89PNG\r\n\x1a\n'],
  ['image', '\xff\xd8\xff'],
  ['image', 'GIF8'],
];

/** `null`: no known signature, so the file may be text. */
export function signatureOf(bytes: Uint8Array): Signature | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image';
  return SIGNATURES.find(([, beginning]) => start.startsWith(beginning))?.[0] ?? null;
}

/** The kinds by extension. They are shown to the user, and models read them in their prompts. */
const KINDS: Readonly<Record<string, string>> = {
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  css: 'CSS',
  csv: 'CSV',
  go: 'Go',
  h: 'C',
  hpp: 'C++',
  htm: 'HTML',
  html: 'HTML',
  java: 'Java',
  js: 'JavaScript',
  json: 'JSON',
  jsonl: 'JSON Lines',
  jsx: 'JavaScript',
  kt: 'Kotlin',
  log: 'Log',
  markdown: 'Markdown',
  md: 'Markdown',
  mjs: 'JavaScript',
  php: 'PHP',
  py: 'Python',
  r: 'R',
  rb: 'Ruby',
  rs: 'Rust',
  sh: 'Shell',
  sql: 'SQL',
  svelte: 'Svelte',
  svg: 'SVG',
  swift: 'Swift',
  tex: 'LaTeX',
  toml: 'TOML',
  ts: 'TypeScript',
  tsv: 'TSV',
  tsx: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

/** The kind of a file that contains text. */
export function textKind(name: string): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(KINDS, extension) ? (KINDS[extension] ?? 'Text') : 'Text';
}
