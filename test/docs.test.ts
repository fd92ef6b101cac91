import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDERS = ['docs', 'models', 'test/fixtures', 'test/bench'];

const pages = [
  ...readdirSync('.'),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'));

const read = (path: string) => readFileSync(path, 'utf8');
const withoutCode = (text: string) => text.replace(/^\s*```.*?^\s*```$/gms, '');

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): readonly string[] {
  const headings = withoutCode(read(page)).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(page: string): readonly string[] {
  const links = withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(target)) return [link];
    return anchor !== undefined && !anchorsOf(target).includes(anchor) ? [link] : [];
  });
}

describe('the documents', () => {
  it.each(pages)('contain only links to files and headings that exist: %s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('name only source files and folders that exist, except in the changelog', () => {
    const named = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) => [...read(page).matchAll(/`((?:src|scripts|test|docs)\/[\w./-]+)`/g)])
      .map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('name only tests that exist in the promises of security.md', () => {
    const rows = read('docs/security.md').match(/^\| .*$/gm) ?? [];
    const promises = rows.slice(1).map((row) => [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)]);
    const named = promises.map((tests) => tests.map(([, path = '']) => join('test', path)));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((tests) => tests.length === 0)).toEqual([]);
    expect(named.flat().filter((path) => !existsSync(path))).toEqual([]);
  });
});
