/**
 * @file Checks that no file of `src` imports itself through other files. Oxlint checks this too (`import/no-cycle`), but
 * overlooks lazy imports and Svelte files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The relative path in `from '…'`, `import '…'` and `import('…')`. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The files that each file imports: values, types, and what it loads late. */
type Imports = ReadonlyMap<string, readonly string[]>;

function importsIn(folder: string): Imports {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:ts|svelte)$/.test(file),
  );
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const found = [...text.matchAll(SPECIFIER)].flatMap(([, specifier = '']) => {
        const path = join(dirname(file), specifier.replace(/\?.*$/, ''));
        return [path, `${path}.ts`, join(path, 'index.ts')].find((each) => known.has(each)) ?? [];
      });
      return [file, found];
    }),
  );
}

/** The first circle that is found on each way through the imports, as a list of files. */
function circlesOf(imports: Imports): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

test('no file of `src` imports itself through other files, not even late', () => {
  const imports = importsIn('src');
  expect(imports.get('core/graders/definitions.ts'), 'types and lazy imports are read').toEqual(
    expect.arrayContaining(['core/graders/grader-parts.ts', 'core/graders/program-grader.ts']),
  );
  expect(imports.get('app/App.svelte'), 'components are read').not.toEqual([]);
  expect(circlesOf(imports)).toEqual([]);
});

test('a circle is listed', () => {
  const imports = new Map([
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', ['b']],
  ]);
  expect(circlesOf(imports)).toEqual(['b → c → b']);
});
