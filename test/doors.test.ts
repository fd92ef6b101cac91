/**
 * @file Checks that each door through which data leaves Podium is in the list of doors, and that a door for runs or tasks asks
 * whether they are confidential.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ASKING, BEHIND, OPEN, WAYS_OUT } from '../scripts/doors.mjs';

const source = new URL('../src/', import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(?:ts|svelte)$/.test(path),
);

/** The code of a file, without comments. */
function codeOf(path: string): string {
  const text = readFileSync(new URL(path, source), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const isDoor = (code: string) => WAYS_OUT.some((way) => way.test(code));
const listed = [...Object.keys(ASKING), ...Object.keys(BEHIND), ...Object.keys(OPEN)];

describe('the list of doors', () => {
  test('has each file that lets data leave, once', () => {
    const unlisted = files.filter((path) => isDoor(codeOf(path)) && !listed.includes(path));
    expect(unlisted).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test.each(Object.entries(ASKING))('%s asks whether data is confidential', (path, asks) => {
    expect(codeOf(path)).toContain(asks);
  });

  test('names the doors that ask in place of others, and no open door that is none', () => {
    for (const behind of Object.values(BEHIND).flat()) expect(Object.keys(ASKING)).toContain(behind);
    for (const path of [...Object.keys(BEHIND), ...Object.keys(OPEN)]) expect(isDoor(codeOf(path)), path).toBe(true);
  });

  test.each([
    "const target = await chooseTarget('runs.txt');",
    '<CopyButton text={run.answer} />',
    'await navigator.clipboard.writeText(answer);',
    "await writeWholeFile('runs.txt', text);",
    'for await (const events of exportedRuns(store, null, options)) yield events;',
  ])('finds a new door: %s', (code) => {
    expect(isDoor(code)).toBe(true);
  });
});
