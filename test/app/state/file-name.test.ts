import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownName } from '../../../src/app/state/file-name';

describe('shownName', () => {
  it.each([
    ['runs.podium.jsonl', 'runs.podium.jsonl'],
    ['旅行の写真.png', '旅行の写真.png'],
    ['تقرير.jsonl', 'تقرير.jsonl'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\runs.jsonl', 'runs.jsonl'],
    ['runs\u202Elnosj.exe', 'runslnosj.exe'],
    ['two\nlines\u0000\u0007.jsonl', 'two lines .jsonl'],
    ['\u200B\u2066\u2069', 'unnamed file'],
    ['', 'unnamed file'],
    ['/', 'unnamed file'],
    ['<img src=x onerror=alert(1)>.jsonl', '<img src=x onerror=alert(1)>.jsonl'],
    ['ha\u0301\u0301\u0301\u0301\u0301\u0301t.png', 'ha\u0301\u0301t.png'],
    [`${'x'.repeat(300)}.podium.jsonl`, `${'x'.repeat(39)}…xxxxxxx.podium.jsonl`],
  ])('%j is shown as %j', (name, shown) => expect(shownName(name)).toBe(shown));

  it('has at most 60 characters, and no control characters or path separators', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const shown = shownName(name);
        expect([...shown].length).toBeLessThanOrEqual(60);
        expect(shown.trim()).not.toBe('');
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\]/u);
        expect(shownName(shown)).toBe(shown);
      }),
    );
  });
});
