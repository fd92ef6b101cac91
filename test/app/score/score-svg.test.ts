import { describe, expect, test } from 'vitest';
import { scoreOf, type ScoreView } from '../../../src/app/score/view';
import { scoreSvg } from '../../../src/app/score/score-svg';
import type { ScorePalette } from '../../../src/app/score/svg-parts';
import { finishedRun, FOUR, scriptedRun } from '../scripted-runs';

const PALETTE: ScorePalette = {
  page: 'white',
  ink: 'black',
  ink2: 'dimgray',
  ink3: 'gray',
  line: 'lightgray',
  lineStrong: 'silver',
  accent: 'blue',
  warn: 'orange',
  bad: 'red',
  workers: Array.from({ length: 10 }, (_, index) => ({ fill: `rgb(${index}, 0, 0)`, on: 'white' })),
};

const draw = (view: ScoreView, more: { title?: string; facts?: string; tag?: string } = {}) =>
  scoreSvg({ view, title: 'What is six times seven?', facts: '4 steps', tag: '', ...more }, PALETTE);

const titlesIn = (svg: string) => [...svg.matchAll(/<g><title>([^<]*)<\/title>/g)].map(([, title]) => title);

describe('the picture of a score', () => {
  const view = scoreOf(finishedRun(), { mode: 'time' });
  const { text: svg, width, height } = draw(view, { tag: 'simulated' });

  test('has all curves, all titles of notes (steps), and all labels of plans, ticks and staves (workers)', () => {
    expect(titlesIn(svg)).toEqual(view.notes.map(({ name }) => name));
    expect(svg.match(/<path d="M[^"]+" fill="none" stroke="rgb/g)).toHaveLength(view.curves.length);
    for (const { label } of [...view.plans, ...view.ticks.filter((tick) => tick.label)]) expect(svg).toContain(label);
    for (const stave of view.staves) expect(svg).toContain(`>${stave.name}<`);
    expect(svg).toContain('>simulated<');
  });

  test('is self-contained: no style sheet, script, link, class or variable', () => {
    expect(svg).not.toMatch(/<style|<script|href|class=|var\(|url\((?!#)|http(?!:\/\/www\.w3\.org\/2000\/svg)/);
  });

  test('has every `x` and `cx` attribute within the width of the view box', () => {
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}"`);
    const xs = [...svg.matchAll(/\b(?:x|cx)="(-?[\d.]+)"/g)].map(([, x]) => Number(x));
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(width);
  });

  test('escapes hostile texts and removes characters that XML forbids', () => {
    const hostile = '"><script>attack()</script>&\u0000\u0008\ud800\u202e';
    const steps = FOUR.map(({ role: _role, ...step }) => ({ ...step, subtask: hostile }));
    const run = scriptedRun({ rounds: [{ steps }] });
    const drawn = draw(scoreOf(run, { mode: 'order' }), { title: hostile, facts: hostile, tag: 'a<b' }).text;
    expect(drawn).not.toMatch(/<script|attack\(\)<\/script>/);
    expect(drawn).toContain('&quot;&gt;&lt;script&gt;');
    expect(drawn).not.toMatch(/(?![\t\n\r])\p{Cc}|\u202e|\p{Cs}|[\u{10000}-\u{10ffff}]/u);
  });

  test('keeps joined emoji and variation selectors', () => {
    const title = 'A family \u{1f469}\u200d\u{1f469}\u200d\u{1f467} and a heart \u2764\ufe0f';
    const drawn = draw(scoreOf(finishedRun(), { mode: 'order' }), { title: `${title}\u202e\uffff\u0001` }).text;
    expect(drawn).toContain(`aria-label="${title}"`);
  });

  test('draws a question mark, not the Conductor’s mark, for a worker that is not in the pool', () => {
    const workflow = { steps: [{ worker: 9, subtask: 'Solve it.', access: [] }] };
    const { conductor, pool } = finishedRun();
    const drawn = draw(scoreOf({ conductor, pool, workflow }, { mode: 'order' })).text;
    expect(drawn).toContain('>?</text>');
    expect(drawn).toContain('>No worker<');
  });

  test('draws a run up to a given moment, with a line (the playhead) at this moment', () => {
    const cut = scoreOf(finishedRun(), { mode: 'time', upTo: 9_000 });
    const drawn = draw(cut).text;
    expect(titlesIn(drawn)).toEqual(cut.notes.map(({ name }) => name));
    expect(drawn).toContain('stroke="blue"');
    expect(drawn).toContain('stroke-dasharray="3 2"');
  });
});
