/** @file Names the kind of a text file by its extension. The kind is shown to the user, and models read it in their prompts. */

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
